#!/bin/sh
# Tries servers of the Model Context Protocol that others wrote. By hand: it installs them from
# npm and PyPI into a folder of its own. `sh tests/real-mcp.sh [FOLDER]` keeps that folder.
set -eu
cd "$(dirname "$0")/.."
folder="${1:-$(mktemp -d)}"
mkdir -p "$folder/files"
echo "the moon is 384400 km away" > "$folder/files/moon.txt"
if [ ! -d "$folder/node_modules" ]; then
    (cd "$folder" && npm install --no-audit --no-fund \
        @modelcontextprotocol/server-everything \
        @modelcontextprotocol/server-filesystem \
        @modelcontextprotocol/server-memory \
        @modelcontextprotocol/server-sequential-thinking)
fi
if [ ! -x "$folder/venv/bin/python" ]; then
    python3 -m venv "$folder/venv"
fi
"$folder/venv/bin/python" -c 'import mcp' 2>/dev/null || "$folder/venv/bin/pip" install -q mcp
cat > "$folder/own.py" <<'PY'
from mcp.server.mcpserver import MCPServer

server = MCPServer("own")


@server.tool()
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


server.run()
PY
bin="$folder/node_modules/.bin"
cat > "$folder/servers.json" <<JSON
{
  "everything": {"command": ["$bin/mcp-server-everything"], "tool": "echo",
    "arguments": {"message": "hello there"}, "answer": "Echo: hello there"},
  "filesystem": {"command": ["$bin/mcp-server-filesystem", "$folder/files"], "tool": "read_text_file",
    "arguments": {"path": "$folder/files/moon.txt"}, "answer": "384400 km"},
  "memory": {"command": ["$bin/mcp-server-memory"], "tool": "create_entities",
    "arguments": {"entities": [{"name": "Ada", "entityType": "person", "observations": ["likes tea"]}]},
    "answer": "likes tea"},
  "thinking": {"command": ["$bin/mcp-server-sequential-thinking"], "tool": "sequentialthinking",
    "arguments": {"thought": "first", "nextThoughtNeeded": false, "thoughtNumber": 1, "totalThoughts": 1},
    "answer": "thoughtHistoryLength"},
  "own": {"command": ["$folder/venv/bin/python", "$folder/own.py"], "tool": "add",
    "arguments": {"a": 2, "b": 40}, "answer": "42"}
}
JSON
echo "| server | says of itself | tools | tokens |"
PLIM_REAL_MCP="$folder/servers.json" cargo test --test it -- real_mcp --nocapture | grep -E '^\||test result|panicked|in '

#!/bin/sh
# Tries servers of the Model Context Protocol that others wrote, by standard input and output
# and by HTTP. By hand: it installs them from npm and PyPI into a folder of its own.
# `sh tests/real-mcp.sh [FOLDER]` keeps that folder.
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
sed 's/^server = .*/server = MCPServer("own-http")/; s/^server.run.*/import sys\nserver.run("streamable-http", port=int(sys.argv[1]))/' \
    "$folder/own.py" > "$folder/own_http.py"
bin="$folder/node_modules/.bin"
free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}
listens() {
    python3 -c 'import socket, sys, time
for _ in range(300):
    try:
        socket.create_connection(("127.0.0.1", int(sys.argv[1]))).close()
        break
    except OSError:
        time.sleep(0.1)
else:
    sys.exit("nothing listens on port " + sys.argv[1])' "$1"
}
everything_port="$(free_port)"
PORT="$everything_port" "$bin/mcp-server-everything" streamableHttp > "$folder/everything.log" 2>&1 &
everything=$!
own_port="$(free_port)"
"$folder/venv/bin/python" "$folder/own_http.py" "$own_port" > "$folder/own.log" 2>&1 &
own=$!
trap 'kill "$everything" "$own"' EXIT
listens "$everything_port"
listens "$own_port"
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
    "arguments": {"a": 2, "b": 40}, "answer": "42"},
  "everything-http": {"url": "http://127.0.0.1:$everything_port/mcp", "tool": "get-sum",
    "arguments": {"a": 19, "b": 23}, "answer": "42"},
  "own-http": {"url": "http://127.0.0.1:$own_port/mcp", "tool": "add",
    "arguments": {"a": 1, "b": 41}, "answer": "42"}
}
JSON
echo "| server | says of itself | tools | tokens |"
PLIM_REAL_MCP="$folder/servers.json" cargo test --test it -- real_mcp --nocapture | grep -E '^\||test result|panicked|in '

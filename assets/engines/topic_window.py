#!/usr/bin/env python3
"""topic_window: a context engine for plim that follows the topic.

It sends the newest messages, as many as fit into half of the budget, and of what is older the
groups that share the most telling words with the newest message of the user. It needs nothing
but the standard library. Use it with

    plim --engine process -S 'context.engine_command=python3 topic_window.py'

The protocol is JSON-RPC 2.0: one JSON object a line on stdin, one on stdout. `plim engine
schema` prints its schema, `plim engine check "python3 topic_window.py"` tests a program.
What is written to stderr goes to plim's log file.
"""

import json
import math
import re
import sys
from collections import Counter

PROTOCOL = 1
# Characters of a text that are asked for: enough to tell what it is about.
TEXT_CHARS = 2000
# Share of the budget for the newest groups, and for older ones on the topic.
RECENT_SHARE = 0.6
TOPIC_SHARE = 0.3
# Words that tell nothing are in more than this share of the groups.
COMMON_SHARE = 0.2
WORD = re.compile(r"[^\W_]{3,}")


def words(text):
    """The words of a text, in lower case, parts of names each for itself."""
    return WORD.findall(text.lower())


class TopicWindow:
    """The conversation as plim told of it, and the choice."""

    def __init__(self):
        self.groups = []  # as in the protocol, without the texts
        self.words = {}  # group id -> Counter of words
        self.asks = {}  # group id -> whether a person typed it

    def take(self, params):
        """The list is what it was up to `unchanged`, then come new groups."""
        del self.groups[params["unchanged"] :]
        for group in params["groups"]:
            known = self.words.setdefault(group["id"], Counter())
            # Texts come once; afterwards a group is named by its id.
            for part in group.get("parts", []):
                known.update(words(part["text"]))
                if part["role"] == "user":
                    self.asks[group["id"]] = True
            self.groups.append(group)

    def recent(self, budget):
        """The first of the newest groups that fit together. Turns stay whole."""
        first = len(self.groups)
        tokens = 0
        for at in range(len(self.groups) - 1, -1, -1):
            tokens += self.groups[at]["tokens"]
            if tokens > budget:
                break
            if at == 0 or self.groups[at]["turn"] != self.groups[at - 1]["turn"]:
                first = at
        return first

    def scores(self, query, upto):
        """How much each group before `upto` has in common with the query."""
        found = Counter()
        for group in self.groups[:upto]:
            found.update(set(self.words[group["id"]]))
        scores = {}
        for at in range(upto):
            known = self.words[self.groups[at]["id"]]
            score = 0.0
            for word in query:
                if found[word] <= max(2, upto * COMMON_SHARE):
                    rarity = math.log(1 + upto / (1 + found[word]))
                    score += rarity * min(known[word], 3)
            if score > 0:
                scores[at] = score
        return scores

    def choose(self, budget):
        """What to leave out, and why the older groups that stay do so."""
        everything = sum(group["tokens"] for group in self.groups)
        if budget is None or everything <= budget:
            return {}
        first = self.recent(int(budget * RECENT_SHARE))
        newest = [group["id"] for group in self.groups if group["id"] in self.asks]
        query = set(self.words[newest[-1]]) if newest else set()
        scores = self.scores(query, first)
        room = int(budget * TOPIC_SHARE)
        kept = {}
        # The best first; of two that are equal, the newer one.
        for at in sorted(scores, key=lambda at: (-scores[at], -at)):
            if self.groups[at]["tokens"] <= room:
                room -= self.groups[at]["tokens"]
                kept[at] = f"on the topic: score {scores[at]:.1f}"
        return self.answer(first, kept)

    def answer(self, first, kept):
        """The choice as ranges of groups that follow each other."""
        leave_out = []
        for at in range(first):
            group = self.groups[at]
            if at in kept or group["required"]:
                continue
            if leave_out and leave_out[-1]["next"] == at:
                leave_out[-1].update(to=group["id"], next=at + 1)
            else:
                leave_out.append({"from": group["id"], "to": group["id"], "next": at + 1})
        left = 0
        for span in leave_out:
            del span["next"]
            span["reason"] = "older than the window, and not on the topic"
            left += 1
        because = [{"id": self.groups[at]["id"], "reason": why} for at, why in sorted(kept.items())]
        result = {"leave_out": leave_out, "send_because": because}
        if left:
            result["note"] = "[Earlier messages that are not on the topic are left out.]"
        return result

    def plan_shrink(self, usable):
        """Where a compaction cuts: before the newest turns that fit into a quarter."""
        first = self.recent((usable or 0) // 4)
        if not 0 < first < len(self.groups):
            return {}
        return {"keep_from": self.groups[first]["id"], "reason": "the newest turns stay"}

    def brief(self, task):
        """What a sub-agent is told: how much was said about its task."""
        scores = self.scores(set(words(task)), len(self.groups))
        if not scores:
            return {}
        return {"note": f"[{len(scores)} earlier messages are about this task.]"}


def answer(engine, method, params):
    """The result of a call."""
    if method == "initialize":
        return {
            "protocol": PROTOCOL,
            "name": "topic-window",
            "version": "1.0",
            "owns_compaction": True,
            "max_text_chars": TEXT_CHARS,
            "calls": ["plan_shrink", "prepare_subagent"],
        }
    if method == "assemble":
        engine.take(params)
        return engine.choose(params["budget_tokens"])
    if method == "plan_shrink":
        return engine.plan_shrink(params["usable_tokens"])
    if method == "prepare_subagent":
        return engine.brief(params["task"])
    raise ValueError(f"no method {method}")


def main():
    engine = TopicWindow()
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request:
            continue  # plim only tells us something
        reply = {"jsonrpc": "2.0", "id": request.get("id")}
        try:
            reply["result"] = answer(engine, request["method"], request.get("params", {}))
        except Exception as error:  # plim shows it, and goes on without us
            reply["error"] = {"code": -32603, "message": str(error)}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()

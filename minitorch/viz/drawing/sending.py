"""What a document keeps of a graph's scene: what follows from the rest is left out, and static/pass.js says it again.

A fact stays wherever what would be said in its place is not, to the letter, what it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Facts = Mapping[str, Any]


def sent(state: Facts) -> dict[str, Any]:
    """The state of a player; of its scene, where it has one, what does not follow from the rest."""
    scene = state.get("scene")
    if scene is None:
        return dict(state)
    events, came = _events(scene)
    levels = [
        {
            **level,
            "boxes": [_box(box, place) for place, box in enumerate(level["boxes"])],
            "edges": [_edge(edge, place, came) for place, edge in enumerate(level["edges"])],
        }
        for level in scene["levels"]
    ]
    plain = _plain(scene["words"])
    nodes = [_kept(node, plain | _node(node, scene["words"])) for node in scene["nodes"]]
    return {**state, "scene": {**scene, "nodes": nodes, "levels": levels, "events": list(events)}}


def _kept(full: Facts, follows: Facts) -> dict[str, Any]:
    """The facts that are not what follows."""
    return {name: each for name, each in full.items() if name not in follows or follows[name] != each}


def _plain(words: Facts) -> dict[str, Any]:
    """What is said of every node about which nothing else is known."""
    return {
        "kind": "op",
        "made": words["leaf"],
        "value": "",
        "bold": False,
        "line": "",
        "badge": "",
        "badgeWidth": 30,
        "nothing": words["nothing"],
        "look": "none",
        "born": None,
    }


def _node(node: Facts, words: Facts) -> dict[str, Any]:
    """What is said besides of a node about which no more is known than its title, how it was made, and its value."""
    title, made, value = node["title"], node["made"], node["value"]
    return {
        "name": title,
        "rest": f"= {value}",
        "facts": [fact for fact in ((words["made"], made), (words["value"], value)) if fact[1]],
        "told": f"{title} = {made}" if node["kind"] == "op" else title,
    }


def _box(box: Facts, place: int) -> dict[str, Any]:
    kept = {**box}
    del kept["y"]
    if kept["node"] == place:
        del kept["node"]
    return kept


def _edge(edge: Facts, place: int, came: Mapping[int, str]) -> dict[str, Any]:
    kept = {**edge}
    kept.pop("width", None)
    carried, backward = kept["carried"], kept.pop("backward", "")
    if carried == [place]:
        del kept["carried"]
    if backward != (came.get(carried[0], "") if len(carried) == 1 else ""):
        kept["backward"] = backward
    return kept


def _events(scene: Facts) -> tuple[list[dict[str, Any]], dict[int, str]]:
    """The events; and, for each edge of the whole graph along which one comes, what then stands beside it."""
    local = dict(_locals(scene["levels"]))
    now: dict[int, str] = {}
    came: dict[int, str] = {}
    kept = []
    for step, event in enumerate(scene["events"], start=1):
        follows = {"value": event["came"], "look": "some"}
        follows |= {"state": f"grad {event['value']}", "entries": event["value"]}
        if event["edge"] is not None:
            follows |= _along(scene, event, step, now, local.get(event["edge"], ""))
            came[event["edge"]] = f"{'+=' if event['node'] in now else '='} {event['came']}"
        now[event["node"]] = event["value"]
        kept.append(_kept(event, follows))
    return kept, came


def _along(scene: Facts, event: Facts, step: int, now: Mapping[int, str], local: str) -> dict[str, Any]:
    """What is said of a contribution that is added as it comes, if anything is there already. now: the gradients."""
    nodes, words = scene["nodes"], scene["words"]
    node, giver = scene["ends"][event["edge"]]
    adds, source = node in now, nodes[giver]
    product = f"{now.get(giver)} × {local} = {event['came']}" if local else event["came"]
    arrives = f"{'+=' if adds else '='} {product}"
    fields = {
        "step": step,
        "total": len(scene["events"]),
        "giver": source["title"] if source["bold"] else f"{source['badge']} ({source['title']})",
        "target": nodes[node]["title"],
        "arrives": arrives,
        "value": event["value"],
    }
    return {
        "node": node,
        "sentence": words["add" if adds else "set"].format_map(fields),
        "arrives": f"{arrives}, {words['from'].format_map({'giver': source['title']})}",
    }


def _locals(levels: list[Facts]) -> Iterator[tuple[int, str]]:
    """What stands beside the edges of the whole graph before the pass, where one arrow stands for one of them."""
    for level in levels:
        for edge in level["edges"]:
            if len(edge["carried"]) == 1:
                yield edge["carried"][0], edge.get("forward", "")

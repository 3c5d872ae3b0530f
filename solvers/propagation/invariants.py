"""What must hold between the lists of a state, checked from scratch. For tests."""

from __future__ import annotations

from .state import ON, OPEN, State, find, most_ends, rank_of


def invariants(s: State) -> list[str]:
    """What is wrong with the state; empty at every fixpoint. Empty: nothing."""
    wrong = _port_invariants(s)
    for v in range(s.vertices):
        has_open = any(s.value[p] == OPEN for p in range(s.first[v], s.first[v + 1]))
        if has_open and not s.listed[v * s.ranks + rank_of(s, v)]:
            wrong.append(f"undecided vertex {v} stands in no bucket")
    for rank, vertices in enumerate(s.bucket):
        if sorted(vertices) != [v for v in range(s.vertices) if s.listed[v * s.ranks + rank]]:
            wrong.append(f"bucket {rank} and its flags differ")
    return wrong + (_component_invariants(s) if s.tracking else [])


def _port_invariants(s: State) -> list[str]:
    wrong = []
    assigned = s.trail[: s.top]
    if sorted(assigned) != [p for p in range(len(s.value)) if s.value[p] != OPEN]:
        wrong.append("the trail is not the set of assigned ports")
    for v in range(s.vertices):
        code = 0
        for p in range(s.first[v], s.first[v + 1]):
            code += (0, s.step_on[p], s.step_off[p])[s.value[p]]
        if code != s.code[v]:
            wrong.append(f"vertex {v}: code {s.code[v]}, ports say {code}")
    for p, q in enumerate(s.twin):
        if q >= 0 and not s.leaky and s.value[p] != s.value[q]:
            wrong.append(f"ports {p} and {q} of one edge differ")
    return wrong


def _component_invariants(s: State) -> list[str]:
    wrong = []
    members: dict[int, list[int]] = {}
    for v in range(s.vertices):
        members.setdefault(find(s, v), []).append(v)
    groups = finished = 0
    for root, inside in members.items():
        ring, v = [root], s.ring[root]
        while v != root:
            ring.append(v)
            v = s.ring[v]
        ends = [s.bound[v] - s.tied[v] for v in inside]
        used = sum(s.layout.demand[v] if s.reach else s.known[v] for v in inside)
        groups += used > 0
        finished += used > 0 and sum(ends) == 0
        kept = (s.size[root], s.in_use[root], s.ends[root], s.ends_sum[root], s.ends_square[root])
        derived = (
            len(inside),
            used,
            sum(ends),
            sum(e * v for e, v in zip(ends, inside, strict=True)),
            sum(e * v * v for e, v in zip(ends, inside, strict=True)),
        )
        if sorted(ring) != inside or kept != derived or min(ends) < 0:
            wrong.append(f"component {root}: kept {kept}, members say {derived}")
    joined = [(p, q) for p, q in enumerate(s.twin) if p < q and s.value[p] == s.value[q] == ON]
    cycles = len(joined) - (s.vertices - len(members))
    if (groups, finished, cycles) != (s.groups, s.finished, s.cycles):
        wrong.append(f"counters {(s.groups, s.finished, s.cycles)}, expected otherwise")
    for p, q in joined:
        if find(s, s.owner[p]) != find(s, s.owner[q]):
            wrong.append(f"the joined edge {p}-{q} joins two components")
    for v in range(s.vertices):
        opened = any(s.value[p] == ON for p in range(s.first[v], s.first[v + 1]))
        if not s.reach and s.known[v] != (s.layout.used[v] or opened):
            wrong.append(f"vertex {v}: in use is kept as {s.known[v]}")
        if s.bound[v] != most_ends(s, v):
            wrong.append(f"vertex {v}: bound {s.bound[v]}, its domain says {most_ends(s, v)}")
    return wrong

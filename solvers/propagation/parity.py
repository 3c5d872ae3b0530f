"""A bound from parity: which edges must be given up for every degree to come out right.

Where leaks are forbidden and the number of open ports of a vertex has a known parity, look at
the choice that is cheapest edge by edge (on if that lowers the cost). The undecided edges in
which a solution differs from it form a T-join: T holds the vertices at which the choice has the
wrong parity, vertices of unknown parity may take any. So the least T-join, by the prices of the
differing edges, is added to the bound (Edmonds and Johnson 1973). It is found as a matching of
T by shortest paths.

A vertex that may open only a few more ports (the dummy that closes an open chain of dominoes)
would give all of T a free way; it is a *hub*: no path leads through it, and as many copies of
it as it may open ports stand in T themselves, which may also be matched to each other for
nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import combinations

from .costs import NEVER, Ledger
from .parts import one_part
from .state import OFF, ON, OPEN, State
from .stray import reconnecting
from .tables import COUNT_MASK, COUNT_SHIFT

MOST_IN_T = 120  # a matching of more vertices takes seconds
MOST_COPIES = 4
WILD = -1  # all vertices of unknown parity, as one


@dataclass(slots=True)
class Join:
    """A least T-join: at which level it was found (in numbers of marks), the bound with it, and
    for each port the value that it asks for (OPEN: none). ``whole``: its wishes are known to
    leave nothing apart that must hang together.
    """

    level: int
    total: int
    wish: list[int]
    whole: bool = False


class Parity:
    """The T-joins that stand: of each level at most the latest. A join stays the least one for
    as long as every assigned port has the value it asks for.
    """

    def __init__(self, ledger: Ledger) -> None:
        self.ledger, self.state = ledger, ledger.state
        self.odd = _parities(self.state)
        self.joins: list[Join] = []
        self.checked = 0
        self.computed = 0

    def step(self) -> bool:
        """At a fixpoint: find a new T-join if the last has been contradicted; False if no
        improvement is left.
        """
        s = self.state
        if self.joins and self.joins[-1].total > self.ledger.ceiling:
            return False  # contradicted or not, its bound holds below its level
        if not self.joins or self._contradicted(self.joins[-1]):
            apart = one_part(self.ledger, self.odd, self._hubs())
            if apart is None or apart > self.ledger.ceiling:
                return False
            if s.head < s.top:
                return True  # the next fixpoint comes here again
            join = self._least()
            self.computed += 1
            if join is None:
                return False
            self.joins.append(join)
        self.checked = s.top
        return self.joins[-1].total <= self.ledger.ceiling

    def undo(self) -> None:
        """A level has been taken back: so are its joins."""
        level = len(self.state.marks)
        while self.joins and self.joins[-1].level > level:
            self.joins.pop()
            self.checked = 0
        self.checked = min(self.checked, self.state.top)

    def decision(self) -> tuple[int, int] | None:
        """The decision that the join asks for: a port, and the value to try first."""
        s = self.state
        if not s.connected or not self.joins or self.joins[-1].whole:
            return None
        found = reconnecting(s, self.joins[-1].wish)
        self.joins[-1].whole = found is None
        return found

    def wish(self, port: int) -> int:
        """The value that the join asks for, OPEN if there is none."""
        return self.joins[-1].wish[port] if self.joins else OPEN

    def _contradicted(self, join: Join) -> bool:
        s = self.state
        for i in range(self.checked, s.top):
            port = s.trail[i]
            if join.wish[port] not in (OPEN, s.value[port]):
                return True
        return False

    def _least(self) -> Join | None:
        """A least T-join of the present state; None if there is none at all."""
        s, ledger = self.state, self.ledger
        wish = self._cheapest()
        hubs = self._hubs()
        target = self._wrong(wish)
        graph, doors = self._graph(hubs)
        seats = [(v, 0) for v in sorted(target) if v not in hubs]
        seats += [(hub, copy) for hub, copies in hubs.items() for copy in range(copies)]
        if len(seats) % 2:
            if WILD not in graph:
                return None
            seats.append((WILD, 0))
        if len(seats) > MOST_IN_T:
            return Join(len(s.marks), ledger.lower, [OPEN] * len(wish), whole=True)
        pairs, ways = _pair(seats, hubs, graph, doors)
        if pairs is None:
            return None
        added = 0
        for one, other in pairs:
            price, edges = ways[one, other]
            added += price
            for port in edges:
                flipped = OFF if wish[port] == ON else ON
                wish[port] = wish[s.twin[port]] = flipped
        return Join(len(s.marks), ledger.lower + added, wish)

    def _cheapest(self) -> list[int]:
        """For every port on an edge its value, or the cheaper one if it is undecided."""
        s, price, edge_of = self.state, self.ledger.price, self.ledger.edge_of
        return [
            value or (OPEN if edge < 0 else ON if price[edge] < 0 else OFF)
            for value, edge in zip(s.value, edge_of, strict=True)
        ]

    def _wrong(self, wish: list[int]) -> set[int]:
        """The vertices of known parity at which the cheapest choice has the other one."""
        s = self.state
        wrong = set()
        for vertex, odd in enumerate(self.odd):
            if odd >= 0:
                on = sum(wish[p] == ON for p in range(s.first[vertex], s.first[vertex + 1]))
                if on % 2 != odd:
                    wrong.add(vertex)
        return wrong

    def _hubs(self) -> dict[int, int]:
        """Vertices with undecided edges that would better be off and of which few may be on,
        with that number.
        """
        s, hubs = self.state, {}
        for vertex in range(s.vertices):
            if s.table[vertex] >= 0 or self.odd[vertex] < 0:
                continue
            ports = range(s.first[vertex], s.first[vertex + 1])
            undecided = [p for p in ports if s.value[p] == OPEN]
            if any(
                not s.outward[p] or self.ledger.price[self.ledger.edge_of[p]] < 0 for p in undecided
            ):
                continue
            code, degree = s.code[vertex], len(ports)
            most = s.previous[s.base[vertex] + degree - (code >> COUNT_SHIFT)]
            copies = most - (code & COUNT_MASK)
            if 0 < copies <= MOST_COPIES and copies < len(undecided):
                hubs[vertex] = copies
        return hubs

    def _graph(self, hubs: dict[int, int]) -> tuple[Graph, Doors]:
        """Undecided edges by vertex, without hubs; and for each hub its neighbours, each with
        the price and the port of the cheapest edge there.
        """
        s, price = self.state, self.ledger.price
        graph: Graph = {v: [] for v, odd in enumerate(self.odd) if odd >= 0 and v not in hubs}
        doors: Doors = {hub: {} for hub in hubs}
        for port, twin in enumerate(s.twin):
            if twin < port or s.value[port] != OPEN or not s.outward[port]:
                continue
            cost = abs(price[self.ledger.edge_of[port]])
            ends = [self._place(s.owner[p]) for p in (port, twin)]
            if ends[0] == ends[1]:
                continue
            inside = [end for end in ends if end not in hubs]
            if len(inside) == 2:
                graph.setdefault(ends[0], []).append((ends[1], cost, port))
                graph.setdefault(ends[1], []).append((ends[0], cost, port))
                continue
            for hub, there in (ends, ends[::-1]):
                if hub in hubs:
                    best = doors[hub].get(there)
                    if best is None or cost < best[0]:
                        doors[hub][there] = (cost, port)
        if WILD in {end for doors_of in doors.values() for end in doors_of}:
            graph.setdefault(WILD, [])
        return graph, doors

    def _place(self, vertex: int) -> int:
        return vertex if self.odd[vertex] >= 0 else WILD


Graph = dict[int, list[tuple[int, int, int]]]
Doors = dict[int, dict[int, tuple[int, int]]]
Seat = tuple[int, int]
Way = tuple[int, list[int]]


def _parities(s: State) -> list[int]:
    """Per vertex 1 if every allowed number of open ports is odd, 0 if even, -1 if neither."""
    known: dict[tuple[int, int, int], int] = {}
    odd = []
    for vertex in range(s.vertices):
        degree = s.first[vertex + 1] - s.first[vertex]
        key = (s.table[vertex], s.base[vertex], degree)
        if key not in known:
            if s.table[vertex] >= 0:
                numbers = {mask.bit_count() % 2 for mask in s.tables.masks[s.table[vertex]]}
            else:
                at = s.base[vertex]
                numbers = {n % 2 for n in range(degree + 1) if s.following[at + n] == n}
            known[key] = numbers.pop() if len(numbers) == 1 else -1
        odd.append(known[key])
    for port, twin in enumerate(s.twin):
        if twin < 0 and s.free[port]:
            odd[s.owner[port]] = -1  # a free stub takes any parity away from the edges
    return odd


def _pair(
    seats: list[Seat], hubs: dict[int, int], graph: Graph, doors: Doors
) -> tuple[list[tuple[Seat, Seat]] | None, dict[tuple[Seat, Seat], Way]]:
    """A cheapest perfect matching of the seats, None if there is none, and the way between
    the two of any pair: its price and the ports of its edges.
    """
    import networkx as nx  # here, since it takes as long to load as many a puzzle to solve

    ways: dict[tuple[Seat, Seat], Way] = {}
    inside = [seat for seat in seats if seat[0] not in hubs]
    for at, seat in enumerate(inside):
        price, back = _shortest(graph, seat[0])
        for other in inside[at + 1 :]:
            if other[0] in price:
                ways[seat, other] = (price[other[0]], _edges(back, other[0]))
        for hub, copies in hubs.items():
            through = [
                (price[there] + cost, there, port)
                for there, (cost, port) in doors[hub].items()
                if there in price
            ]
            if through:
                total, there, port = min(through)
                way = (total, [*_edges(back, there), port])
                ways.update({(seat, (hub, copy)): way for copy in range(copies)})
    for one, other in combinations([seat for seat in seats if seat[0] in hubs], 2):
        ways[one, other] = (0, [])  # unused copies; between two hubs a bound from below
    matching = nx.Graph()
    matching.add_nodes_from(seats)
    matching.add_weighted_edges_from((a, b, way[0]) for (a, b), way in ways.items())
    pairs = [(a, b) if (a, b) in ways else (b, a) for a, b in nx.min_weight_matching(matching)]
    return (pairs if 2 * len(pairs) == len(seats) else None), ways


def _shortest(graph: Graph, start: int) -> tuple[dict[int, int], dict[int, tuple[int, int]]]:
    """Prices of the cheapest paths from a vertex (Dijkstra 1959), and for each vertex reached
    the one before it and the port of the edge between.
    """
    price, back = {start: 0}, {}
    waiting = [(0, start)]
    while waiting:
        so_far, here = heappop(waiting)
        if so_far > price[here]:
            continue
        for there, cost, port in graph[here]:
            total = so_far + cost
            if total < price.get(there, NEVER):
                price[there] = total
                back[there] = (here, port)
                heappush(waiting, (total, there))
    return price, back


def _edges(back: dict[int, tuple[int, int]], end: int) -> list[int]:
    ports = []
    while end in back:
        end, port = back[end]
        ports.append(port)
    return ports

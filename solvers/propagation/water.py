"""Can every sink still be reached from some source, and along which ports?

Components know nothing of what lies between them: a sink can be cut off long before its own
component is closed, and every decision elsewhere would then be tried in vain. So the water is
let run wherever it still may: out of a source by any port that some fitting mask opens, through
a vertex from one port to another only if some fitting mask opens both, across an edge unless one
of its ports is off. What a solution's water does, this water may do too; a sink that it misses
refutes the node. That costs a walk over the graph, so it is done at the root and once after
each conflict, which is where an attempt in vain shows.

Under connect used the first needed vertex is the source, and the other needed ones are sinks.

The ports on a way to a dry sink are decided first: as long as a sink is dry little else matters.
After that, under sealed, those of the components with a source: the others may leak.
"""

from __future__ import annotations

from collections import deque

from .state import OFF, ON, OPEN, State, find, rank_of
from .tables import COUNT_SHIFT

UNSEEN, START = -2, -1


class Water:
    """The checks of one search; ``runs`` counts them.

    ``plan`` are the ports on a way to a dry sink, the nearest to the source last. A plan is only
    a wish: ports of it that were assigned or undone meanwhile do no harm.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.runs = 0
        self.plan: list[int] = []
        self._at = -1  # conflicts at the last check
        self._wet: list[int] = []
        self._settled = (-1, -1)  # conflicts and solutions when all wet was found decided
        if state.reach:
            demand = state.layout.demand
            self._sources = [v for v, d in enumerate(demand) if d < 0]
            self._sinks = [v for v, d in enumerate(demand) if d > 0]
        else:
            needed = state.layout.needed
            self._sources, self._sinks = needed[:1], needed[1:]
        self._ways: dict[tuple[int, int], list[int]] = {}

    def due(self) -> bool:
        """Whether some sink is dry and there was a conflict since the last check."""
        return self._at != self.state.conflicts and self.dry()

    def dry(self) -> bool:
        """Whether some sink is dry."""
        s = self.state
        return s.groups > 0 if s.reach else any(not self._is_wet(v) for v in self._sinks)

    def _is_wet(self, vertex: int) -> bool:
        """Whether the vertex hangs together with a source."""
        s = self.state
        root = find(s, vertex)
        return s.in_use[root] < 0 if s.reach else root == find(s, self._sources[0])

    def flows(self) -> bool:
        """At a fixpoint: whether the water reaches all sinks; if not, the clash is at one."""
        s = self.state
        self._at = s.conflicts
        self.runs += 1
        came, into = self._run()
        self.plan = []
        for sink in self._sinks:
            if self._is_wet(sink):
                continue
            if into[sink] == UNSEEN:
                s.clash = sink
                return False
            if not self.plan:
                self.plan = self._way(came, into[sink])
        return True

    def decision(self) -> tuple[int, int] | None:
        """The next port on the way to a dry sink, None if there is no way in sight."""
        s = self.state
        if not self.dry():
            return self._in_the_wet() if s.sealed else None
        fresh = False
        while True:
            while self.plan and s.value[self.plan[-1]] == ON:
                self.plan.pop()
            if self.plan and s.value[self.plan[-1]] == OPEN:
                return self.plan[-1], ON
            if fresh or not self.flows():
                return None
            fresh = True

    def _in_the_wet(self) -> tuple[int, int] | None:
        """An undecided port of a component with a source, of the vertices with the fewest
        options; None if all is decided there.
        """
        s = self.state
        while True:
            while self._wet:
                vertex = self._wet[-1]
                if s.in_use[find(s, vertex)] < 0:
                    for port in range(s.first[vertex], s.first[vertex + 1]):
                        if s.value[port] == OPEN:
                            return port, ON
                self._wet.pop()
            now = (s.conflicts, s.solutions)
            if now == self._settled:
                return None
            self._wet = self._undecided_in_the_wet()
            if not self._wet:
                self._settled = now

    def _undecided_in_the_wet(self) -> list[int]:
        s = self.state
        found: list[int] = []
        seen: set[int] = set()
        for source in self._sources:
            root = find(s, source)
            if root in seen:
                continue
            seen.add(root)
            vertex = root
            while True:
                ports = range(s.first[vertex], s.first[vertex + 1])
                if any(s.value[port] == OPEN for port in ports):
                    found.append(vertex)
                vertex = s.ring[vertex]
                if vertex == root:
                    break
        return sorted(found, key=lambda v: -rank_of(s, v))

    def _run(self) -> tuple[list[int], list[int]]:
        """Per port by which water came into a vertex the one by which it had come into the vertex
        before (START: that was a source), and per vertex the port by which it came first.
        """
        s = self.state
        came, into = [UNSEEN] * len(s.value), [UNSEEN] * s.vertices
        waiting: deque[int] = deque()
        for vertex in self._sources:
            into[vertex] = START
            ways = self._through(vertex)
            out = 0
            for bits in ways:
                out |= bits
            self._leave(vertex, out, START, came, waiting)
        while waiting:
            port = waiting.popleft()
            vertex = s.owner[port]
            bits = self._through(vertex)[port - s.first[vertex]]
            if not bits:
                continue
            if into[vertex] == UNSEEN:
                into[vertex] = port
            self._leave(vertex, bits, port, came, waiting)
        return came, into

    def _leave(
        self, vertex: int, out: int, entered: int, came: list[int], waiting: deque[int]
    ) -> None:
        s = self.state
        port = s.first[vertex]
        while out:
            if out & 1 and s.value[port] != OFF:
                twin = s.twin[port]
                if twin >= 0 and s.value[twin] != OFF and came[twin] == UNSEEN:
                    came[twin] = entered
                    waiting.append(twin)
            out, port = out >> 1, port + 1

    def _through(self, vertex: int) -> list[int]:
        """Per port of the vertex the ports (bits) that some fitting mask opens with it."""
        s = self.state
        table, code = s.table[vertex], s.code[vertex]
        if table < 0:
            degree = s.first[vertex + 1] - s.first[vertex]
            most = s.previous[s.base[vertex] + degree - (code >> COUNT_SHIFT)]
            return [(1 << degree) - 1 if most > 0 else 0] * degree
        ways = self._ways.get((table, code))
        if ways is None:
            on, off = s.tables.decode(code)
            ways = [0] * s.tables.degrees[table]
            for mask in s.tables.masks[table]:
                if mask & on == on and not mask & off:
                    for i in range(len(ways)):
                        if mask >> i & 1:
                            ways[i] |= mask
            self._ways[table, code] = ways
        return ways

    def _way(self, came: list[int], port: int) -> list[int]:
        """The ports from a vertex entered by this port back to a source, all to be on."""
        plan = []
        while port != START:
            plan.append(port)
            plan.append(self.state.twin[port])
            port = came[port]
        return plan

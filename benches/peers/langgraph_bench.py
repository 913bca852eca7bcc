"""LangGraph over SQLite: the graphs that crates/store/examples/figures.rs runs, so that figures stand beside figures.

pip install langgraph langgraph-checkpoint-sqlite; python3 benches/peers/langgraph_bench.py [threads,threads] [turns]
"""

import asyncio
import operator
import os
import sys
import tempfile
import time
from typing import Annotated, TypedDict

from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph

STEPS = 100


class Lines(TypedDict):
    lines: Annotated[list[str], operator.add]


def counting():
    graph = StateGraph(Lines)
    graph.add_node("step", lambda state: {"lines": ["x"]})
    graph.add_edge(START, "step")
    graph.add_conditional_edges("step", lambda state: "step" if len(state["lines"]) < STEPS else END, ["step", END])
    return graph


def talking():
    def says(what):
        return lambda state: {"lines": [f"{what} {len(state['lines'])} " + "word " * 56]}

    graph = StateGraph(Lines)
    graph.add_node("call", says("call"))
    graph.add_node("result", says("result"))
    graph.add_node("answer", says("answer"))
    graph.add_edge(START, "call")
    graph.add_edge("call", "result")
    graph.add_edge("result", "answer")
    graph.add_edge("answer", END)
    return graph


def size(path):
    return sum(os.path.getsize(path + end) for end in ("", "-wal") if os.path.exists(path + end))


async def steps(mode, threads):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "lg.db")
        async with AsyncSqliteSaver.from_conn_string(path) as saver:
            await saver.setup()
            app = counting().compile(checkpointer=saver)
            begun, cpu = time.perf_counter(), time.process_time()

            async def one(number):
                config = {"configurable": {"thread_id": str(number)}, "recursion_limit": 10 * STEPS}
                await app.ainvoke({"lines": []}, config, durability=mode)

            await asyncio.gather(*(one(number) for number in range(threads)))
            wall, cpu = time.perf_counter() - begun, time.process_time() - cpu
            total = threads * STEPS
            print(f"{mode:<6} {threads:>7} {total:>10} {total / wall:>9.0f} {cpu * 1000 / total:>13.4f}", flush=True)


async def chat(turns):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "lg.db")
        async with AsyncSqliteSaver.from_conn_string(path) as saver:
            await saver.setup()
            app = talking().compile(checkpointer=saver)
            config = {"configurable": {"thread_id": "chat"}}
            times = []
            print("turn   ms a turn (the 20 before)   load ms   messages bytes   database bytes")
            for turn in range(1, turns + 1):
                begun = time.perf_counter()
                await app.ainvoke({"lines": [f"user {turn} " + "word " * 56]}, config, durability="sync")
                times.append(time.perf_counter() - begun)
                if turn in (20, 100, 200, 400):
                    begun = time.perf_counter()
                    state = await app.aget_state(config)
                    load = (time.perf_counter() - begun) * 1000
                    messages = sum(len(line) for line in state.values["lines"])
                    mean = sum(times[-20:]) * 1000 / 20
                    print(f"{turn:>4} {mean:>27.2f} {load:>9.2f} {messages:>16} {size(path):>16}", flush=True)


def main():
    threads = [int(n) for n in (sys.argv[1] if len(sys.argv) > 1 else "1,10,100").split(",")]
    turns = int(sys.argv[2]) if len(sys.argv) > 2 else 400
    print("LangGraph, AsyncSqliteSaver")
    print("mode   threads      steps   steps/s   CPU ms/step")
    for mode in ("sync", "async", "exit"):
        for number in threads:
            asyncio.run(steps(mode, number))
    asyncio.run(chat(turns))


main()

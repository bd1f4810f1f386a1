"""Measures the labelling page in Chromium against a real server: the first paint, the time from a key to the next
question on the page, and memory over many answers. Prints figures, asserts nothing.

    ASKFEW=build/release/apps/cli/askfew PYTHONPATH=tests/web/pages build/release/web/venv/bin/python bench/page_speed.py
"""

import statistics
import sys
import tempfile
import time

from harness import CHROMIUM, Server, messages, sync_playwright

KEYS = 1000
ANSWERS = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000

# From the key's own time to the task after the next frame.
WATCH = """() => { window.times = []; document.addEventListener("keydown", (event) => requestAnimationFrame(() => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => times.push(performance.now() - event.timeStamp);
  channel.port2.postMessage(0);
}), true); }"""


def first_paints(browser, address):
    for _ in range(10):
        page = browser.new_page()
        page.goto(address)
        page.wait_for_selector("h1")
        yield page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
        page.close()


def memory(page, tools):
    tools.send("HeapProfiler.collectGarbage")
    found = {one["name"]: one["value"] for one in tools.send("Performance.getMetrics")["metrics"]}
    return f"{found['JSHeapUsedSize'] / 1e6:.1f} MB, {found['Nodes']:.0f} nodes"


def main():
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(folder)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        paints = list(first_paints(browser, server.address))
        print(f"first paint: median {statistics.median(paints):.0f} ms, worst {max(paints):.0f} ms of {len(paints)}")
        project = server.project(messages(KEYS + ANSWERS + 10))
        page = browser.new_page()
        page.goto(f"{server.address}/#token={server.token}")
        page.wait_for_selector(".projects a")
        page.goto(f"{server.address}/#/p/{project}/label")
        page.wait_for_selector(".card[data-id]")
        page.evaluate(WATCH)
        for _ in range(KEYS):
            page.wait_for_selector(".card[data-id]")
            page.keyboard.press("a")
            time.sleep(0.05)
        times = sorted(page.evaluate("times"))
        print(f"from a key to the next question: median {times[len(times) // 2]:.1f} ms, "
              f"99% {times[len(times) * 99 // 100]:.1f} ms, worst {times[-1]:.1f} ms of {len(times)}")
        tools = page.context.new_cdp_session(page)
        tools.send("Performance.enable")
        print(f"memory after {KEYS} answers: {memory(page, tools)}")
        for done in range(1, ANSWERS + 1):
            if page.locator(".card").get_attribute("data-id") is None:
                page.wait_for_selector(".card[data-id]")
            page.keyboard.press("a")
            if done % (ANSWERS // 4) == 0:
                print(f"memory after {KEYS + done} answers: {memory(page, tools)}", flush=True)
        browser.close()
        server.stop()


main()

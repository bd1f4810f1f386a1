"""Starts a real Kafka broker, in KRaft mode, from Maven's jars: one process, loopback only, ports chosen by the system.

    with Broker() as broker:
        broker.create_topic("mail", partitions=4)
        print(broker.address)

By hand, until Ctrl-C: python3 tests/kafka/broker.py
"""

import hashlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
import base64

HERE = pathlib.Path(__file__).resolve().parent
POM = HERE / "broker" / "pom.xml"
COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies"
PATIENCE = 60  # seconds until the broker answers; much more than needed


def missing_program():
    """Why there can be no broker, or None."""
    for program, package in ("java", "openjdk-17-jre-headless"), ("mvn", "maven"):
        if shutil.which(program) is None:
            return f"{program} is missing: tools/install kafka installs {package}"
    return None


def cache_folder():
    """Outside the tree, one for each content of the pom: jars stay from test to test."""
    root = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return pathlib.Path(root) / "askfew" / f"kafka-{hashlib.sha256(POM.read_bytes()).hexdigest()[:16]}"


def jars():
    """The folder with the broker's jars; downloads them the first time."""
    folder = cache_folder()
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
            subprocess.run(["mvn", "-q", "-B", "-f", str(POM), COPY, f"-DoutputDirectory={temporary}/jars",
                            "-DincludeScope=runtime"], check=True, stdout=sys.stderr)
            try:
                os.rename(f"{temporary}/jars", folder)
            except OSError:  # another process was faster
                if not folder.exists():
                    raise
    return folder


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Broker:
    """A running broker with an empty folder of its own; both are gone at the end, however it comes."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="askfew-kafka-")
        self.port, self.controller = free_port(), free_port()
        self.address = f"127.0.0.1:{self.port}"
        self.process = None

    def __enter__(self):
        try:
            self.java = ["java", "-Xmx512m", "-Xms64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                         "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", "-cp", f"{jars()}/*"]
            self.write_properties()
            name = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
            subprocess.run([*self.java, "kafka.tools.StorageTool", "format", f"--cluster-id={name}", "-c",
                            self.properties],
                           check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.stop()
        self.folder.cleanup()

    def write_properties(self):
        self.properties = os.path.join(self.folder.name, "server.properties")
        with open(self.properties, "w", encoding="utf-8") as file:
            file.write(f"""process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{self.controller}
listeners=PLAINTEXT://127.0.0.1:{self.port},CONTROLLER://127.0.0.1:{self.controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{self.port}
controller.listener.names=CONTROLLER
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs={self.folder.name}/data
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
group.min.session.timeout.ms=500
num.network.threads=2
num.io.threads=2
""")

    def start(self):
        """Starts the process, again after `stop` with everything that was sent to it."""
        self.log = open(os.path.join(self.folder.name, "broker.log"), "ab")
        self.process = subprocess.Popen([*self.java, "kafka.Kafka", self.properties], stdout=self.log, stderr=self.log,
                                        stdin=subprocess.DEVNULL)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise RuntimeError("the broker ended: " + self.last_words())
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("the broker does not answer: " + self.last_words())

    def last_words(self):
        with open(self.log.name, encoding="utf-8", errors="replace") as file:
            return file.read()[-2000:]

    def stop(self):
        if self.process is None:
            return
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None
        self.log.close()


if __name__ == "__main__":
    if missing_program():
        sys.exit(missing_program())
    with Broker() as running:
        print(running.address, flush=True)
        try:
            signal.pause()
        except KeyboardInterrupt:
            pass

"""A real PostgreSQL in a temporary folder, from Debian's packages (`tools/install databases`)."""

import glob
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import urllib.parse

MEMORY = "/dev/shm"  # a sync takes long on a real disk
USER, PASSWORD = "askfew", "se cret'\\%@1"


def programs():
    """The folder of PostgreSQL's programs."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
    path = found[-1] if found else shutil.which("initdb")
    if path is None:
        sys.exit("this test needs PostgreSQL: tools/install databases")
    return os.path.dirname(path)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Postgres:
    """Its superuser has a password. PostgreSQL refuses to run as root: then the user postgres runs it."""

    def __init__(self, place=None):
        self.bin = programs()
        self.folder = tempfile.mkdtemp(dir=place or (MEMORY if os.access(MEMORY, os.W_OK) else None))
        self.data = os.path.join(self.folder, "data")
        self.as_user = []
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
            self.as_user = ["runuser", "-u", "postgres", "--"]
        password = os.path.join(self.folder, "password")
        with open(password, "w", encoding="utf-8") as file:
            file.write(PASSWORD + "\n")
        os.chmod(password, 0o644)
        self.run("initdb", "-D", self.data, "-U", USER, "--auth=scram-sha-256", f"--pwfile={password}", "--no-sync",
                 "--encoding=UTF8", "--locale=C")
        self.port = free_port()
        with open(os.path.join(self.data, "postgresql.conf"), "a", encoding="utf-8") as file:
            file.write(f"port = {self.port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '{self.folder}'\n"
                       "shared_buffers = 16MB\nmax_connections = 40\n")
        self.start()

    def run(self, program, *arguments):
        command = [*self.as_user, os.path.join(self.bin, program), *arguments]
        done = subprocess.run(command, cwd="/", capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(f"{' '.join(command)}: {done.stdout}{done.stderr}")

    def start(self):
        self.run("pg_ctl", "-D", self.data, "-l", os.path.join(self.folder, "log"), "-w", "-t", "60", "start")

    def stop(self, mode="immediate"):
        self.run("pg_ctl", "-D", self.data, "-m", mode, "-w", "-t", "60", "stop")

    def remove(self):
        try:
            self.stop()
        except AssertionError:
            pass  # it is stopped already
        shutil.rmtree(self.folder)

    def url(self, ledger=None, user=USER, password=PASSWORD, database="postgres"):
        secret = ":" + urllib.parse.quote(password, safe="") if password else ""
        name = "&ledger=" + urllib.parse.quote(ledger, safe="") if ledger else ""
        patience = "connect_timeout=30"  # the machine may be busy with other tests
        return f"postgresql://{user}{secret}@127.0.0.1:{self.port}/{database}?{patience}{name}"

    def sql(self, statements, database="postgres"):
        """What the statements print, without headings."""
        done = subprocess.run([os.path.join(self.bin, "psql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1",
                               "-p", str(self.port), "-U", USER, "-d", database], input=statements, capture_output=True,
                              text=True, check=False, env={**os.environ, "PGPASSWORD": PASSWORD})
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        return done.stdout

    def ledger(self, name="main", database="postgres"):
        """The bytes of a ledger, by PostgreSQL's own programs."""
        quoted = name.replace("'", "''")
        text = self.sql("SET standard_conforming_strings = on; SELECT encode(b.bytes, 'hex') FROM askfew_ledger_bytes b "
                        f"JOIN askfew_ledgers l USING (ledger) WHERE l.name = '{quoted}' ORDER BY place", database)
        return bytes.fromhex("".join(text.split()))

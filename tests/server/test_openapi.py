"""The server keeps to its description: random requests made from openapi.json, right and wrong, get described answers."""

import http.client
import json
import random
import unittest
import urllib.parse

from service import ServerTest, instances

CASES = 1500
PROJECT = "/api/v1/projects/{project}"
ODD = [None, True, False, 0, -1, 1e308, 2**70, "", "m0", "\u202e\U0001f600", "a" * 5000, "\0", "../..", [], {}, [[]], {"": ""},
       {"id": "m1", "text": "x"}, [1, "a"], "<script>alert(1)</script>"]


class Described:
    def __init__(self, document):
        self.document = document

    def resolve(self, schema):
        while "$ref" in schema:
            found = self.document
            for part in schema["$ref"].split("/")[1:]:
                found = found[part]
            schema = found
        return schema

    def make(self, schema, chance):
        """A value of this schema; now and then a wrong one."""
        if chance.random() < 0.12:
            return chance.choice(ODD)
        schema = self.resolve(schema)
        if "oneOf" in schema:
            return self.make(chance.choice(schema["oneOf"]), chance)
        if "enum" in schema:
            return chance.choice(schema["enum"])
        kind = schema.get("type", "object")
        kind = chance.choice(kind) if isinstance(kind, list) else kind
        if kind == "object":
            return {name: self.make(one, chance) for name, one in schema.get("properties", {}).items()
                    if name in schema.get("required", ()) or chance.random() < 0.4}
        if kind == "array":
            return [self.make(schema.get("items", {"type": "string"}), chance) for _ in range(chance.randrange(4))]
        if kind in ("integer", "number"):
            return chance.choice([0, 1, 2, 5, 50, 60]) if kind == "integer" else chance.choice([0.5, 3, -2])
        return {"boolean": True, "null": None}.get(kind, chance.choice(["m0", "m1", "m2", "spam", "ham", "5%", "ann", "auto"]))

    def fault(self, schema, value, place="body"):
        """What is wrong with a value; None: nothing."""
        schema = self.resolve(schema)
        kinds = schema.get("type", [])
        kinds = [kinds] if isinstance(kinds, str) else kinds
        types = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "integer": int,
                 "number": (int, float)}
        if kinds and not any(isinstance(value, types[kind]) for kind in kinds):
            return f"{place} is {value!r}, not {kinds}"
        if "enum" in schema and value not in schema["enum"]:
            return f"{place} is {value!r}, not one of {schema['enum']}"
        if isinstance(value, dict):
            for name in schema.get("required", ()):
                if name not in value:
                    return f"{place} has no {name}"
            for name, one in schema.get("properties", {}).items():
                found = name in value and self.fault(one, value[name], f"{place}.{name}")
                if found:
                    return found
        if isinstance(value, list):
            if len(value) > schema.get("maxItems", len(value)):
                return f"{place} is too long"
            for one in value:
                found = "items" in schema and self.fault(schema["items"], one, place + "[]")
                if found:
                    return found
        return None


class OpenApi(ServerTest):
    def check(self, described, operation, reply, case):
        self.assertLess(reply.status, 500, (case, reply.text))
        response = operation["responses"].get(str(reply.status), operation["responses"]["default"])
        response = described.resolve(response)
        content = response.get("content", {})
        if not content:
            self.assertEqual(reply.text, b"", case)
            return
        kind = reply.headers["Content-Type"].split(";")[0]
        self.assertIn(kind, content, case)
        if kind.endswith("json") and "schema" in content[kind]:
            self.assertIsNone(described.fault(content[kind]["schema"], reply.json()), (case, reply.text))

    def test_random_requests_get_described_answers(self):
        described = Described(self.client().get("/openapi.json").json())
        project = self.admin.project()
        self.admin.post(project + "/instances", instances(5))
        chance = random.Random(11)
        operations = [(path, method, operation) for path, methods in described.document["paths"].items()
                      for method, operation in methods.items() if method != "parameters" and not path.endswith("/events")]
        for number in range(CASES):
            path, method, operation = chance.choice(operations)
            address = path.replace(PROJECT, project if chance.random() < 0.9 else PROJECT.replace("{project}", "none"))
            for name in ("{key}", "{number}"):
                address = address.replace(name, urllib.parse.quote(str(chance.choice(ODD))[:50] or "-", safe=""))
            query = {one["name"]: text_of(described.make(one["schema"], chance))
                     for one in operation.get("parameters", ()) if one["in"] == "query" and chance.random() < 0.5}
            query.pop("wait", None)
            if query:
                address += "?" + urllib.parse.urlencode(query)
            body = None
            if "requestBody" in operation:
                body = json.dumps(described.make(operation["requestBody"]["content"]["application/json"]["schema"], chance))
                if chance.random() < 0.1:
                    body = body[:chance.randrange(len(body) + 1)]
            if "archived" in (body or "") and method == "patch":
                continue  # the project stays in use
            try:
                reply = self.admin.send(method.upper(), address, body)
            except http.client.HTTPException as error:
                self.fail(f"case {number}: {method} {address} {body}: {error!r}")
            self.check(described, operation, reply, (number, method, address, body))
        self.assertEqual(self.client().get("/healthz").status, 200)


def text_of(value):
    return value if isinstance(value, str) else json.dumps(value)


if __name__ == "__main__":
    unittest.main()

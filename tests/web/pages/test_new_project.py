"""A project is made from pasted or uploaded rows, without a terminal."""

import tempfile

from harness import PageTest

ROWS = [("free prizes, now", "spam"), ("see you at \"noon\"", "ham"), ("line one\nline two", "ham"), ("buy 😀", "spam"),
        ("lunch?", "ham")]


def csv(rows):
    quoted = [",".join('"' + value.replace('"', '""') + '"' for value in row) for row in rows]
    return "\n".join(["text,label", *quoted]) + "\n"


class NewProject(PageTest):
    def make(self, page, name):
        page.get_by_role("textbox", name="Name").fill(name)
        page.get_by_role("button", name="Make the project").click()
        page.get_by_role("link", name="Start labelling").wait_for()

    def test_from_nothing_to_the_first_answer_of_a_pasted_csv(self):
        page = self.page("")
        page.get_by_label("Token").fill(self.server.token)
        page.get_by_role("button", name="Log in").click()
        page.get_by_role("link", name="New project").click()
        page.get_by_label("Paste rows").fill(csv(ROWS))
        page.get_by_role("button", name="Read the rows").click()
        page.get_by_text("5 rows, 2 columns.").wait_for()
        self.assertIn('see you at "noon"', page.get_by_role("region", name="First rows").inner_text())
        self.assertEqual(page.get_by_label("Learn from").input_value(), "text")
        self.assertEqual(page.get_by_label("Labels are named in").input_value(), "label")
        self.assertEqual(page.get_by_label("Labels, one per line").input_value(), "spam\nham")
        self.make(page, "My mails")
        (project,) = self.server.call("GET", "projects")["projects"]
        self.assertEqual((project["name"], project["question"], project["labels"], project["kind"], project["kept"]),
                         ("My mails", "Is this spam?", ["spam", "ham"], "yes-no", 5))
        page.get_by_role("link", name="Start labelling").click()
        page.wait_for_selector(".card[data-id]")
        page.keyboard.press("a")
        self.wait_until_sent(page)
        (row,) = self.restarted_labels(project["id"])
        self.assertEqual(row["label"], "spam")

    def test_an_uploaded_file_of_json_lines_with_three_labels(self):
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            for number in range(1200):
                file.write(f'{{"nr": "n{number}", "body": "text {number}", "class": "{"abc"[number % 3]}", "size": {number}}}\n')
            file.flush()
            page = self.page()
            self.open(page, "new")
            page.get_by_label("or upload a file").set_input_files(file.name)
            page.get_by_role("button", name="Read the rows").click()
            page.get_by_text("1,200 rows, 4 columns.").wait_for()
            self.make(page, "classes")
        (project,) = self.server.call("GET", "projects")["projects"]
        self.assertEqual((project["kept"], sorted(project["labels"]), project["kind"]), (1200, ["a", "b", "c"], "classes"))
        question = self.server.call("GET", f"projects/{project['id']}/questions/next?n=1")["questions"][0]
        self.assertEqual(question["text"], f"text {question['id'][1:]}")
        self.assertEqual(question["fields"], {"size": question["id"][1:]})  # the label is not shown to annotators

    def test_a_column_of_lists_makes_a_project_of_topics(self):
        page = self.page()
        for name, rows in (("csv", 'text,topics\nrain,"wheat, corn"\na well,oil\nbread,wheat;oil\nlunch,\n'),
                           ("json", '{"text": "rain", "topics": ["wheat", "corn"]}\n{"text": "a well", "topics": ["oil", "corn"]}\n')):
            self.open(page, "new")
            page.get_by_label("Paste rows").fill(rows)
            page.get_by_role("button", name="Read the rows").click()
            page.wait_for_selector("form")
            self.assertEqual(page.get_by_label("Labels are named in").input_value(), "topics")
            self.assertEqual(page.get_by_label("How many labels fit").input_value(), "together")
            self.assertEqual(sorted(page.get_by_label("Labels, one per line").input_value().split("\n")), ["corn", "oil", "wheat"])
            self.make(page, name)
            (project,) = [one for one in self.server.call("GET", "projects")["projects"] if one["name"] == name]
            self.assertEqual((project["kind"], project["question"]), ("topics", "Which topics fit?"))
            self.assertEqual(self.server.call("GET", f"projects/{project['id']}")["settings"]["ask"], "together")
            self.label(page, project["id"])
            self.assertEqual(page.locator(".chip").count(), 3)
            page.keyboard.press("1")
            page.keyboard.press("Enter")
            self.wait_until_sent(page)

    def test_rows_that_cannot_be_read_are_explained(self):
        page = self.page()
        self.open(page, "new")
        for text, said in (("text,label\n", "no rows"), ('text,label\n"open,spam\n', "line 3: a quoted field does not end"),
                           ('{"text": "a"}\n{"text": \n', "line 2"), ("text\na,b\n", "row 1 has 2 fields")):
            page.get_by_label("Paste rows").fill(text)
            page.get_by_role("button", name="Read the rows").click()
            page.get_by_text(said).wait_for()

    def test_the_preview_of_the_estimate_narrows_with_the_audit(self):
        page = self.page()
        self.open(page, "new")
        page.get_by_label("or upload a file").set_input_files({"name": "rows.csv", "mimeType": "text/csv", "buffer": csv(ROWS * 400).encode()})
        page.get_by_role("button", name="Read the rows").click()
        page.get_by_label("Budget").fill("1000")
        widths = []
        for audit in ("5%", "10%", "20%"):
            page.get_by_label("Audit").fill(audit)
            widths.append(float(page.locator("form .advice").inner_text().split("±")[1].split()[0]))
        self.assertEqual(widths, sorted(widths, reverse=True))
        self.assertEqual(len(set(widths)), 3)
        page.get_by_label("Audit").fill("60%")
        self.assertIn("at most 40%", page.locator("form .advice").inner_text())

    def test_the_audit_follows_the_budget_until_it_is_typed(self):
        page = self.page()
        self.open(page, "new")
        page.get_by_label("Paste rows").fill(csv(ROWS * 20))
        page.get_by_role("button", name="Read the rows").click()
        page.get_by_label("Budget").fill("50")
        self.assertEqual(page.get_by_label("Audit").input_value(), "20%")
        page.get_by_label("Budget").fill("20")
        self.assertEqual(page.get_by_label("Audit").input_value(), "8%")
        page.get_by_label("Audit").fill("10%")
        page.get_by_label("Budget").fill("50")
        self.assertEqual(page.get_by_label("Audit").input_value(), "10%")

    def test_what_the_server_refuses_is_shown(self):
        page = self.page()
        self.open(page, "new")
        page.get_by_label("Paste rows").fill(csv(ROWS))
        page.get_by_role("button", name="Read the rows").click()
        page.get_by_label("Labels, one per line").fill("one\none")
        page.get_by_role("textbox", name="Name").fill("twice")
        page.get_by_role("button", name="Make the project").click()
        page.locator(".bad").wait_for()
        self.assertIn("label 'one' is named twice", page.locator(".bad").inner_text())
        self.assertEqual(self.server.call("GET", "projects")["projects"], [])
        page.get_by_label("Labels, one per line").fill("one\ntwo")
        self.assertEqual(page.locator(".bad").count(), 0)

    def test_an_audit_has_a_percent_sign_and_a_point_or_a_comma(self):
        page = self.page()
        self.open(page, "new")
        page.get_by_label("Paste rows").fill(csv(ROWS * 40))
        page.get_by_role("button", name="Read the rows").click()
        page.get_by_label("Budget").fill("100")
        audit = page.get_by_label("Audit")
        audit.fill("0.05")
        self.assertFalse(audit.evaluate("one => one.checkValidity()"))
        self.assertEqual(audit.get_attribute("title"), "A share with a percent sign, such as 4%")
        audit.fill("12,5 %")
        self.assertIn("100 labels, 25 of them", page.locator("form .advice").inner_text())
        self.make(page, "comma")
        (project,) = self.server.call("GET", "projects")["projects"]
        self.assertEqual(self.server.call("GET", f"projects/{project['id']}")["settings"]["audit"], "12.5%")



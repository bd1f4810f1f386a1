// All texts of the page, in English and German.

export const languages = { en: "English", de: "Deutsch" };

/** @type {Record<string, [string, string]>} */
const texts = {
  "agreement": ["Agreement", "Übereinstimmung"],
  "annotators": ["Annotators", "Annotierende"],
  "answer-refused": ["The answer to {id} was not accepted: {why}", "Die Antwort auf {id} wurde nicht angenommen: {why}"],
  "answered": ["Answered", "Beantwortet"],
  "answers": ["Answers", "Antworten"],
  "answers-today": ["{n} answered today", "{n} heute beantwortet"],
  "advice": ["{n} more labels: the error falls by {low} to {high} points.", "{n} weitere Labels: Der Fehler sinkt um {low} bis {high} Prozentpunkte."],
  "advice-maybe": ["{n} more labels: the error falls by at most {high} points, and maybe not at all.", "{n} weitere Labels: Der Fehler sinkt um höchstens {high} Prozentpunkte, vielleicht auch gar nicht."],
  "archive": ["Archive the project", "Projekt archivieren"],
  "archived": ["archived", "archiviert"],
  "as-table": ["Numbers as a table", "Zahlen als Tabelle"],
  "asked": ["Asked", "Gefragt"],
  "audit": ["Audit: share of all rows that is asked at random", "Prüfung: Anteil aller Zeilen, der zufällig gefragt wird"],
  "audit-hint": ["The error is estimated from these labels. They are taken from the budget.", "Aus diesen Labels wird der Fehler geschätzt. Sie zählen zum Budget."],
  "audit-too-large": ["The audit would take more than 80% of the budget. Choose a smaller audit or a larger budget.", "Die Prüfung würde mehr als 80 % des Budgets brauchen. Wählen Sie eine kleinere Prüfung oder ein größeres Budget."],
  "browser-forgets": ["This browser keeps no data: leave the page open until all answers are sent.", "Dieser Browser speichert nichts: Lassen Sie die Seite offen, bis alle Antworten gesendet sind."],
  "budget": ["Budget: labels that may be asked", "Budget: Labels, die gefragt werden dürfen"],
  "budget-hint": ["askfew chooses which rows are worth asking.", "askfew wählt aus, welche Zeilen sich lohnen."],
  "cannot-read": ["The rows cannot be read: {why}", "Die Zeilen sind nicht lesbar: {why}"],
  "change": ["Change", "Ändern"],
  "change-error_down": ["Fewer mistakes since round {since} (noticed in round {round})", "Weniger Fehler seit Runde {since} (bemerkt in Runde {round})"],
  "change-error_up": ["More mistakes since round {since} (noticed in round {round})", "Mehr Fehler seit Runde {since} (bemerkt in Runde {round})"],
  "change-margins": ["The instances look different since round {since} (noticed in round {round})", "Die Daten sehen anders aus seit Runde {since} (bemerkt in Runde {round})"],
  "characters-hidden": ["… {n} characters …", "… {n} Zeichen …"],
  "choices": ["Choices", "Auswahl"],
  "close": ["Close", "Schließen"],
  "comment": ["Comment", "Kommentar"],
  "copied": ["Copied", "Kopiert"],
  "copy": ["Copy the link", "Link kopieren"],
  "decisions-csv": ["Decisions (CSV)", "Entscheidungen (CSV)"],
  "decisions-jsonl": ["Decisions (JSON lines)", "Entscheidungen (JSON Lines)"],
  "error": ["Error", "Fehler"],
  "error-over": ["Estimated error", "Geschätzter Fehler"],
  "f-over": ["Estimated F", "Geschätztes F"],
  "failed": ["This did not work", "Das hat nicht geklappt"],
  "figures": ["Figures", "Kennzahlen"],
  "files": ["Files", "Dateien"],
  "first-rows": ["First rows", "Erste Zeilen"],
  "flag": ["Flag", "Markieren"],
  "flag-hint": ["The comment is sent with your answer.", "Der Kommentar wird mit Ihrer Antwort gesendet."],
  "flag-long": ["flag with a comment", "mit Kommentar markieren"],
  "flag-remove": ["No flag", "Nicht markieren"],
  "flag-save": ["Flag", "Markieren"],
  "flag-title": ["What is special here?", "Was ist hier besonders?"],
  "flagged": ["Flagged.", "Markiert."],
  "fold": ["Show less", "Weniger zeigen"],
  "id": ["Id", "Id"],
  "id-column": ["Id", "Id"],
  "image-column": ["Image (an address)", "Bild (eine Adresse)"],
  "image-of": ["Image of {id}", "Bild von {id}"],
  "instance": ["Instance", "Instanz"],
  "interval": ["95% interval: {low} to {high}", "95-%-Intervall: {low} bis {high}"],
  "invite": ["Invite an annotator: name", "Annotierende einladen: Name"],
  "invite-button": ["Make a link", "Link erzeugen"],
  "invite-hint": ["Whoever opens the link can answer the questions of this project.", "Wer den Link öffnet, kann die Fragen dieses Projekts beantworten."],
  "invite-link": ["Link for {name}", "Link für {name}"],
  "invite-once": ["Copy it now: it is shown only once.", "Jetzt kopieren: Er wird nur einmal gezeigt."],
  "is-this": ["Is this {label}?", "Ist das {label}?"],
  "keys": ["Keys", "Tasten"],
  "known-to": ["With {labels} labels, {audited} of them for the audit, the error is known to about ±{width} (if about one prediction in ten is wrong).", "Mit {labels} Labels, davon {audited} zur Prüfung, ist der Fehler auf etwa ±{width} bekannt (wenn etwa jede zehnte Vorhersage falsch ist)."],
  "known-too-little": ["{audited} labels of the audit are too few to know the error. Raise the budget and the audit if you need it.", "{audited} Labels der Prüfung sind zu wenige, um den Fehler zu kennen. Erhöhen Sie Budget und Prüfung, wenn Sie ihn brauchen."],
  "label": ["Label", "Labeln"],
  "label-column": ["Labels are named in", "Label-Namen stehen in"],
  "label-column-hint": ["Only the names of the labels are taken from this column. Annotators do not see it.", "Aus dieser Spalte kommen nur die Namen der Labels. Annotierende sehen sie nicht."],
  "label-names": ["Labels, one per line", "Labels, eines je Zeile"],
  "label-names-hint": ["Two labels make yes/no questions: the first label is yes.", "Zwei Labels ergeben Ja/Nein-Fragen: Das erste Label ist Ja."],
  "label-project": ["Label {name}", "{name} labeln"],
  "labels-csv": ["Labels (CSV)", "Labels (CSV)"],
  "labels-jsonl": ["Labels (JSON lines)", "Labels (JSON Lines)"],
  "language": ["Language", "Sprache"],
  "last-answers": ["Last answers", "Letzte Antworten"],
  "last-answers-hint": ["Choose an answer to change it. The last ten can be changed; older ones are learned.", "Wählen Sie eine Antwort, um sie zu ändern. Die letzten zehn sind änderbar; ältere sind gelernt."],
  "learn-from": ["Learn from", "Lernen aus"],
  "left-in-budget": ["{n} left in the budget", "{n} übrig im Budget"],
  "loading": ["Loading …", "Lädt …"],
  "log-in": ["Log in", "Anmelden"],
  "log-out": ["Log out", "Abmelden"],
  "make-project": ["Make the project", "Projekt anlegen"],
  "margin": ["Margin", "Margin"],
  "model-file": ["Model file", "Modelldatei"],
  "more": ["More actions", "Weitere Aktionen"],
  "more-settings": ["More settings", "Weitere Einstellungen"],
  "name": ["Name", "Name"],
  "new-project": ["New project", "Neues Projekt"],
  "newest-decisions": ["Newest decisions", "Neueste Entscheidungen"],
  "no": ["No", "Nein"],
  "no-advice": ["Whether more labels help is estimated from 100 labels on.", "Ob weitere Labels helfen, wird ab 100 Labels geschätzt."],
  "no-audit": ["This project has no audit, so its error is not estimated.", "Dieses Projekt hat keine Prüfung; sein Fehler wird nicht geschätzt."],
  "no-decisions": ["No decisions yet.", "Noch keine Entscheidungen."],
  "no-network": ["The server cannot be reached. Trying again …", "Der Server ist nicht erreichbar. Neuer Versuch …"],
  "no-points": ["No numbers yet.", "Noch keine Zahlen."],
  "no-projects": ["There is no project for you yet.", "Es gibt noch kein Projekt für Sie."],
  "no-projects-make": ["There is no project yet. Make one from a CSV file or pasted rows.", "Es gibt noch kein Projekt. Legen Sie eines aus einer CSV-Datei oder eingefügten Zeilen an."],
  "no-rows": ["there are no rows below the first line", "unter der ersten Zeile stehen keine Zeilen"],
  "nobody": ["Nobody has answered yet.", "Noch niemand hat geantwortet."],
  "none": ["none", "keine"],
  "nothing-budget-spent": ["The budget is spent", "Das Budget ist aufgebraucht"],
  "nothing-finished": ["This project is finished", "Dieses Projekt ist fertig"],
  "nothing-leased-to-others": ["Other people have the last questions", "Die letzten Fragen haben andere"],
  "nothing-pending": ["No question waits.", "Keine Frage wartet."],
  "nothing-refused": ["The server gives no questions", "Der Server gibt keine Fragen"],
  "nothing-to-undo": ["There is no answer to undo.", "Es gibt keine Antwort zum Zurücknehmen."],
  "nothing-waiting-for-stream": ["No question right now: waiting for new instances", "Gerade keine Frage: neue Daten kommen noch"],
  "numbers": ["all columns of numbers", "alle Zahlenspalten"],
  "of": ["{n} of {all}", "{n} von {all}"],
  "offline": ["No network: {n} answers are kept here and sent later.", "Kein Netz: {n} Antworten sind hier gespeichert und werden später gesendet."],
  "online-again": ["The network is back.", "Das Netz ist wieder da."],
  "only-numbers": ["Instance {id} has nothing to show but numbers.", "Instanz {id} hat nur Zahlen."],
  "order": ["Order", "Reihenfolge"],
  "order-asked": ["as asked", "wie gefragt"],
  "order-doubtful": ["most doubtful first", "zweifelhafteste zuerst"],
  "order-oldest": ["oldest first", "älteste zuerst"],
  "pace": ["{n} a minute", "{n} pro Minute"],
  "pages": ["Pages", "Seiten"],
  "paste": ["Paste rows", "Zeilen einfügen"],
  "paste-hint": ["CSV whose first line names the columns, or one JSON object per line.", "CSV, deren erste Zeile die Spalten benennt, oder ein JSON-Objekt je Zeile."],
  "pending-questions": ["Questions that wait", "Wartende Fragen"],
  "plan": ["Plan", "Plan"],
  "planned": ["{n} planned by now", "{n} bis jetzt geplant"],
  "predicted": ["Predicted: {label} (margin {margin})", "Vorhersage: {label} (Margin {margin})"],
  "predicted-short": ["Predicted", "Vorhersage"],
  "project-counts": ["{waiting} questions wait, {answered} answered", "{waiting} Fragen warten, {answered} beantwortet"],
  "projects": ["Projects", "Projekte"],
  "question": ["Question", "Frage"],
  "questions-wait": ["{n} questions wait", "{n} Fragen warten"],
  "read-rows": ["Read the rows", "Zeilen lesen"],
  "round": ["Round", "Runde"],
  "rounds": ["Rounds", "Runden"],
  "row": ["Row", "Zeile"],
  "row-number": ["the row's number", "Nummer der Zeile"],
  "rows-found": ["{n} rows, {columns} columns.", "{n} Zeilen, {columns} Spalten."],
  "rows-read": ["{n} rows read …", "{n} Zeilen gelesen …"],
  "rows-refused": ["{n} rows were not accepted. The first: {why}", "{n} Zeilen wurden nicht angenommen. Die erste: {why}"],
  "sampler": ["Sampler", "Sampler"],
  "sampler-hint": ["auto fits most projects.", "auto passt für die meisten Projekte."],
  "seconds": ["Seconds (median)", "Sekunden (Median)"],
  "seed": ["Seed", "Startzahl"],
  "sending": ["sending {n} …", "sendet {n} …"],
  "sending-rows": ["Sending the rows", "Zeilen werden gesendet"],
  "single-keys": ["Single keys answer questions", "Einzelne Tasten beantworten Fragen"],
  "skip": ["Skip", "Überspringen"],
  "skip-long": ["skip: no answer", "überspringen: keine Antwort"],
  "skipped": ["Skipped", "Übersprungen"],
  "space": ["space", "Leertaste"],
  "spend": ["Labels asked", "Gefragte Labels"],
  "start-labelling": ["Start labelling", "Labeln beginnen"],
  "step-budget": ["4. Budget", "4. Budget"],
  "step-columns": ["2. What the columns mean", "2. Was die Spalten bedeuten"],
  "step-question": ["3. The question", "3. Die Frage"],
  "step-rows": ["1. The rows", "1. Die Zeilen"],
  "swipes": ["On a phone: swipe right for yes, left for no.", "Auf dem Telefon: nach rechts wischen für Ja, nach links für Nein."],
  "to-dashboard": ["To the project's page", "Zur Seite des Projekts"],
  "token": ["Token", "Token"],
  "token-hint": ["askfew serve prints the first token when it starts. A link of an invitation has its token inside.", "askfew serve zeigt das erste Token beim Start. Ein Einladungslink enthält sein Token."],
  "too-many-labels": ["This column has more than {n} different values: it cannot name the labels.", "Diese Spalte hat mehr als {n} verschiedene Werte: Sie kann die Labels nicht benennen."],
  "unarchive": ["Take the project out of the archive", "Projekt aus dem Archiv holen"],
  "unavailable": ["The ledger of this project cannot be read.", "Das Protokoll dieses Projekts ist nicht lesbar."],
  "undo": ["Undo", "Zurück"],
  "undo-long": ["undo the last answer", "letzte Antwort zurücknehmen"],
  "undo-refused": ["This answer can no longer be changed: {why}", "Diese Antwort ist nicht mehr änderbar: {why}"],
  "unfold": ["Show all", "Alles zeigen"],
  "unknown-yet": ["not known yet", "noch nicht bekannt"],
  "unsure": ["Unsure", "Unsicher"],
  "unsure-long": ["unsure: I looked, and do not know", "unsicher: angesehen, aber nicht entscheidbar"],
  "upload": ["or upload a file", "oder Datei hochladen"],
  "waiting": ["Waiting", "Wartend"],
  "which-label": ["Which label fits?", "Welches Label passt?"],
  "why": ["Why", "Warum"],
  "why-asked": ["Why this was asked", "Warum das gefragt wurde"],
  "why-long": ["show why this was asked", "zeigen, warum gefragt wurde"],
  "why-short": ["margin {margin}, asked with probability {probability}", "Margin {margin}, gefragt mit Wahrscheinlichkeit {probability}"],
  "with-band": ["band: 95% interval", "Band: 95-%-Intervall"],
  "yes": ["Yes", "Ja"],
};

const STORED = "askfew-language";
let chosen = localStorage.getItem(STORED) ?? (/^de\b/.test(navigator.language) ? "de" : "en");

export function language() {
  return chosen;
}

/** @param {string} code */
export function setLanguage(code) {
  chosen = code;
  localStorage.setItem(STORED, code);
}

/**
 * The text in the chosen language; {n} is replaced by values.n.
 * @param {string} name
 * @param {Record<string, string | number>} [values]
 */
export function t(name, values = {}) {
  const both = texts[name];
  if (!both) return name;
  return both[chosen === "de" ? 1 : 0].replace(/\{(\w+)\}/g, (_, key) => String(values[key] ?? ""));
}

/**
 * @param {number} value
 * @param {number} [digits] after the point, at most
 */
export function number(value, digits = 0) {
  return value.toLocaleString(chosen, { maximumFractionDigits: digits });
}

/** @param {number} value a share of 1 */
export function percent(value) {
  return value.toLocaleString(chosen, { style: "percent", maximumFractionDigits: value < 0.1 ? 1 : 0 });
}

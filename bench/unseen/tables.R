# Writes the tables of R packages of one group as CSV files, the class as a column `label` of yes and no.
# Usage: Rscript tables.R GROUP FOLDER
arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[2]

table_of <- function(name, package, file = name) {
  loaded <- new.env()
  data(list = file, package = package, envir = loaded)
  loaded[[name]]
}

# Rows whose class is not known are left out.
write_table <- function(name, columns, is_positive) {
  known <- !is.na(is_positive)
  columns <- as.data.frame(columns)[known, , drop = FALSE]
  columns$label <- ifelse(is_positive[known], "yes", "no")
  write.csv(columns, file.path(folder, paste0(name, ".csv")), row.names = FALSE, na = "")
}

without <- function(table, ...) table[setdiff(names(table), c(...))]

# A table whose class is in the column `class`; other columns that tell the class are dropped.
write_classes <- function(name, table, class, positive, dropped = NULL) {
  classes <- as.character(table[[class]])
  write_table(name, without(table, class, dropped), ifelse(is.na(classes), NA, classes %in% positive))
}

write_first <- function() {
  data(BreastCancer, DNA, HouseVotes84, Ionosphere, LetterRecognition, PimaIndiansDiabetes, Satellite, Shuttle, Soybean,
       Vehicle, Vowel, package = "mlbench", envir = environment())
  write_table("breastcancer", BreastCancer[2:10], BreastCancer$Class == "malignant")
  write_table("dna_neither", DNA[1:180], DNA$Class == "n")
  write_table("dna_ei", DNA[1:180], DNA$Class == "ei")
  write_table("votes", HouseVotes84[-1], HouseVotes84$Class == "democrat")
  write_table("ionosphere", Ionosphere[-35], Ionosphere$Class == "bad")
  write_table("letter_vowel", LetterRecognition[-1], LetterRecognition$lettr %in% c("A", "E", "I", "O", "U"))
  write_table("letter_a", LetterRecognition[-1], LetterRecognition$lettr == "A")
  write_table("letter_half", LetterRecognition[-1], as.integer(LetterRecognition$lettr) <= 13)
  write_table("pima", PimaIndiansDiabetes[-9], PimaIndiansDiabetes$diabetes == "pos")
  write_table("satellite_grey", Satellite[-37], Satellite$classes == "grey soil")
  write_table("satellite_damp", Satellite[-37], Satellite$classes == "damp grey soil")
  write_table("satellite_plants", Satellite[-37], grepl("vegetation|cotton", Satellite$classes))
  write_table("shuttle", Shuttle[-10], Shuttle$Class != "Rad.Flow")
  write_table("soybean", Soybean[-1],
              Soybean$Class %in% c("frog-eye-leaf-spot", "brown-spot", "alternarialeaf-spot"))
  write_table("vehicle", Vehicle[-19], Vehicle$Class %in% c("opel", "saab"))
  write_table("vowel", Vowel[2:10], as.integer(Vowel$Class) %% 2 == 0)

  data(spam, ticdata, income, musk, package = "kernlab", envir = environment())
  write_table("spambase", spam[-58], spam$type == "spam")
  write_table("ticdata", ticdata[-86], ticdata$CARAVAN == "insurance")
  write_table("income", income[-1], as.integer(income$INCOME) >= 6)
  write_table("musk", musk[-167], musk$Class == "1")
}

write_second <- function() {
  of <- function(name) table_of(name, "modeldata")
  write_classes("ad", of("ad_data"), "Class", "Impaired")
  write_classes("attrition", of("attrition"), "Attrition", "Yes")
  write_classes("cells", of("cells"), "class", "PS", "case")
  write_classes("credit", of("credit_data"), "Status", "bad")
  write_classes("hpc", of("hpc_data"), "class", c("F", "M", "L"))
  write_classes("lending", of("lending_club"), "Class", "bad")
  write_classes("churn", of("mlc_churn"), "churn", "yes")
  write_classes("churn_wa", of("wa_churn"), "churn", "Yes")
  write_classes("parabolic", of("parabolic"), "class", "Class1")
  write_classes("pd_speech", of("pd_speech"), "class", as.character(of("pd_speech")$class[1]))
  write_classes("stackoverflow", of("stackoverflow"), "Remote", "Remote")
  write_classes("two_class", of("two_class_dat"), "Class", "Class1")
  write_classes("penguins", of("penguins"), "species", "Adelie")
  write_classes("grants", table_of("grants_other", "modeldata", "grants"), "class", "successful")
  foods <- rbind(table_of("training_data", "modeldata", "small_fine_foods"),
                 table_of("testing_data", "modeldata", "small_fine_foods"))
  write_table("foods_text", data.frame(text = foods$review), foods$score == "great")

  write_classes("dhfr", table_of("dhfr", "caret"), "Y", "active")
  write_table("mdrr", table_of("mdrrDescr", "caret", "mdrr"), table_of("mdrrClass", "caret", "mdrr") == "Active")

  of <- function(name) table_of(name, "carData")
  write_classes("arrests", of("Arrests"), "released", "No")
  write_classes("chile", of("Chile"), "vote", "Y")
  write_classes("stops_in_time", of("MplsStops"), "problem", "traffic", c("idNum", "date", "MDC"))
  write_classes("titanic", of("TitanicSurvival"), "survived", "yes")
  write_classes("wells", of("Wells"), "switch", "yes")
  write_classes("mroz", of("Mroz"), "lfp", "yes")
  write_classes("beps", of("BEPS"), "vote", "Labour")

  write_classes("glaucoma", table_of("GlaucomaM", "TH.data"), "Class", "glaucoma")
  write_classes("wpbc", table_of("wpbc", "TH.data"), "status", "R", "time")
}

write_new <- function() {
  ames <- table_of("ames", "modeldata")
  write_table("house_price", without(ames, "Sale_Price"), ames$Sale_Price > median(ames$Sale_Price))
  trains <- table_of("Chicago", "modeldata")
  write_table("ridership_in_time", without(trains, "ridership", "date"), trains$ridership > median(trains$ridership))
  works <- table_of("tate_text", "modeldata")
  write_table("art_text", data.frame(text = paste(works$title, works$medium, sep = ". ")), works$year >= 2005)

  write_classes("abortion", table_of("CES11", "carData"), "abortion", "Yes", c("id", "weight"))
  diary <- table_of("KosteckiDillon", "carData")
  write_classes("migraine_in_time", diary[order(diary$dos), ], "headache", "yes", c("id", "dos"))
}

get(paste0("write_", arguments[1]))()

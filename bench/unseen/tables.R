# Writes tables of the packages mlbench and kernlab as CSV files, the class as a column `label` of yes and no.
# Usage: Rscript tables.R FOLDER
folder <- commandArgs(trailingOnly = TRUE)[1]

write_table <- function(name, columns, is_positive) {
  columns$label <- ifelse(is_positive, "yes", "no")
  write.csv(columns, file.path(folder, paste0(name, ".csv")), row.names = FALSE, na = "")
}

data(BreastCancer, DNA, HouseVotes84, Ionosphere, LetterRecognition, PimaIndiansDiabetes, Satellite, Shuttle, Soybean,
     Vehicle, Vowel, package = "mlbench")
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

data(spam, ticdata, income, musk, package = "kernlab")
write_table("spambase", spam[-58], spam$type == "spam")
write_table("ticdata", ticdata[-86], ticdata$CARAVAN == "insurance")
write_table("income", income[-1], as.integer(income$INCOME) >= 6)
write_table("musk", musk[-167], musk$Class == "1")

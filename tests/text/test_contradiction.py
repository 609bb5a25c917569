"""Contradictions: what cannot both hold, and the many pairs that only look like it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from mmind.text.claims import read_claims
from mmind.text.contradiction import contradiction, contradiction_of
from mmind.text.pairs import contradictions

CONTRADICTIONS = [
    ("numeric", "The retry limit is 3.", "The retry limit is 5."),
    ("numeric", "Backups are kept for 30 days.", "Backups are kept for 60 days."),
    ("numeric", "The upload limit is 25 MB per file.", "The upload limit is 0.1 GB per file."),
    ("numeric", "Rent is €900 a month.", "Rent is €950 a month."),
    ("numeric", "Service listens on port 8080.", "Service listens on port 9090."),
    ("numeric", "We support Python 3.10 and later.", "We support Python 3.12 and later."),
    ("numeric", "The team has 12 engineers.", "The team has fifteen engineers."),
    ("numeric", "The west read cap is 3.3k ops/s at 128 workers.", "The west read cap is 9k ops/s at 128 workers."),
    ("temporal", "The launch is on 12 March 2026.", "The launch is on 19 March 2026."),
    ("temporal", "The dentist appointment is on Tuesday at 3 pm.", "The dentist appointment is on Thursday at 3 pm."),
    ("temporal", "Standup starts at 9:30.", "Standup starts at 10:00."),
    ("temporal", "Marie was born in 1954.", "Marie was born in 1956."),
    ("temporal", "Migrations run before the deploy.", "Migrations run after the deploy."),
    ("temporal", "The cycle runs until the valve is closed.", "The cycle runs after the valve is closed."),
    ("negation", "The export is allowed to write to it.", "The export is not allowed to write to it."),
    ("negation", "Dark mode is enabled by default.", "Dark mode is disabled by default."),
    ("negation", "Ben eats meat.", "Ben never eats meat."),
    ("negation", "The office door is locked at night.", "The office door is unlocked at night."),
    ("negation", "Nobody has access to the vault.", "Anna has access to the vault."),
    ("negation", "It is often confused with rust.", "It is never confused with rust."),
    ("negation", "All limbs are required for it.", "Not all limbs are required for it."),
    ("correction", "We use feature branches.", "We no longer use feature branches."),
    ("correction", "The depot is hosted in the Oslo region.", "The depot is hosted in the Lisbon region now."),
    ("correction", "Project stack: FastAPI, PostgreSQL and Redis, deployed in containers.",
     "The project has moved off PostgreSQL; the database is now MySQL because the team knows it better."),
    ("correction", "Anna lives in Berlin.", "Anna moved from Berlin to Paris."),
    ("correction", "We use npm to install packages.", "We switched from npm to pnpm."),
    ("correction", "The owner of the billing service is Priya.", "The owner of the billing service is Tom."),
    ("correction", "My favourite drink is tea.", "My favourite drink is now coffee."),
    ("correction", "Connection pool size set to 10", "Connection pool size increased to 25 due to traffic"),
    ("correction", "The project uses Webpack for bundling.", "Webpack was replaced by Vite."),
    ("correction", "The greenhouse is heated with a gas stove.", "The gas stove in it was replaced by a heat pump."),
    ("correction", "We keep our issues in Jira.", "We moved our issues from Jira to Linear."),
    ("correction", "The licence has 20 seats.", "The licence had 20 seats and now has 35."),
    ("numeric", "The queue holds at most 20k messages.", "The queue holds at most 5,000 messages."),
    ("negation", "The library supports Python 3.8.", "The library dropped support for Python 3.8."),
    ("correction", "My budget is $500.", "I increased my budget to $700."),
    ("correction", "The meeting is at 3pm.", "The meeting was moved to 4pm."),
    ("correction", "The rate limit is 100 requests.", "The rate limit was raised from 100 to 250 requests."),
    ("correction", "User lives in Boston.", "User lives in Denver."),
    ("negation", "Anna is the team lead.", "Anna is no longer the team lead."),
    ("correction", "Primary domain is app.example.org", "Primary domain changed to web.example.org"),
    ("correction", "The spare key hangs behind the blue door.", "The spare key hangs behind the green door."),
    ("numeric", "The cache lifetime is 5 minutes.",
     "The cache lifetime is 15 minutes since last week: the proxy in the harbour needs the longer one."),
    ("numeric", "The cache lifetime is 5 minutes; nobody knows.", "As of Monday, the cache lifetime is 15 minutes."),
    ("numeric", "The rent is 1,140 euros a month.", "From 1 October the rent is 1,195 euros a month."),
    ("numeric", "The fee is 20 euros.", "Starting January our fee is 25 euros."),
    ("temporal", "The launch in Almere is on 7 September.",
     "The launch in Almere is on 21 September, two weeks later than planned."),
    ("numeric", "The trip costs 350 euros.", "The trip costs 300 euros, less than expected."),
    ("numeric", "The cache lifetime is 5 minutes (because of the proxy).", "Update: the cache lifetime is 15 minutes."),
    ("numeric", "The fee is 40 euros per month, payable in advance.", "The fee is 45 euros per month."),
    ("numeric", "The fee is 40 euros per month.", "Lena raised the fee: the fee is 45 euros per month from July."),
    ("temporal", "Backups run at 02:00.", "Backups run at 04:00 since March, because the export takes longer."),
    ("negation", "I am vegetarian.", "I am not vegetarian any more, since the trip to the coast."),
    ("correction", "We use LoRa for the uplink, not WiFi.", "We no longer use LoRa for the uplink; WiFi is used."),
    ("correction", "The database is Postgres 15.", "The database is MySQL 8."),
    ("correction", "Use /v3/orders to file orders.", "/v3/orders is deprecated; use /v4/orders to file orders."),
    ("correction", "Marek is in charge of the archive.", "Lisa took over the archive from Marek."),
    ("numeric", "Salaries go out on the 25th of each month.", "Correction: salaries go out on the 28th of each month."),
    ("negation", "Das Fenster im Keller ist offen.", "Das Fenster im Keller ist nicht offen."),
    ("negation", "Omar arbeitet bei der Post.", "Omar arbeitet nicht mehr bei der Post."),
    ("negation", "Le portail de Nantes est ouvert.", "Le portail de Nantes n'est pas ouvert."),
    ("negation", "Elle habite à Rennes.", "Elle n'habite plus à Rennes."),
    ("negation", "I like olives on pizza.", "I don't like olives on pizza."),
    ("negation", "The gate is not open.", "The gate is not closed."),
    ("negation", "The court denied the request in May.", "The court accepted the request in May."),
    ("negation", "The pump failed to start.", "The pump did not fail to start."),
    ("negation", "Entering the yard is impossible.", "It is not impossible to enter the yard."),
    ("negation", "A wasp can sting more than once.", "A wasp cannot sting more than once."),
    ("negation", "The clerk declined to sign the deed.", "The clerk signed the deed."),
    ("negation", "Tom refrained from voting in the council.", "Tom voted in the council."),
    ("negation", "Most of the oaks did not survive.", "Most of the oaks survived."),
    ("negation", "Nobody is happy with the plan.", "Ann is happy with the plan."),
    ("correction", "The boxes are in the cellar.", "The boxes are in the attic."),
    ("correction", "My passport is in the desk.", "My passport is now in the safe."),
    ("correction", "The water meter is in the garage.", "The water meter is in the cellar."),
    ("numeric", "The backup runs every night.", "The backup runs every week."),
    ("numeric", "Backups run daily.", "Backups run weekly."),
    ("numeric", "The report is due weekly.", "The report is due every month."),
    ("numeric", "The team meets every week.", "The team meets every two weeks."),
    ("numeric", "The filter is changed every year.", "The filter is changed every six months."),
    ("numeric", "We water the ficus twice a week.", "We water the ficus every day."),
    ("numeric", "The cat is fed twice a day.", "The cat is fed three times a day."),
    ("negation", "A group of tenants owns the garden.", "Tenants do not own the garden."),
    ("numeric", "The rent is 890 euros a month, due on the third working day",
     "Rent has been 940 euros a month since July"),
    ("numeric", "The rent is 1,180 euros and due on the third of the month.", "From October the rent is 1,240 euros."),
    ("numeric", "The timeout is 30 seconds and configurable.", "The timeout is 45 seconds."),
    ("temporal", "The meeting is at 9:30 and lasts an hour.", "The meeting is at 10:00."),
    ("numeric", "The office is on floor 3 and open to all.", "The office is on floor 4."),
    ("numeric", "The deposit is 500 euros, kept by the landlord.", "The deposit is 600 euros since June."),
    ("numeric", "The membership costs 30 euros, paid by card", "Membership: 35 euros from March on"),
    ("numeric", "The kayak is 5.2 m long.", "Kayak length: 5.4 m"),
    ("numeric", "The kayak is 5.2 m long.", "The length of the kayak is 5.4 m."),
    ("numeric", "Rex weighs 31 kg.", "Rex's weight is 33 kg."),
    ("correction", "The library card expires in May 2026.", "The library card was renewed until May 2028."),
    ("correction", "The contract is valid until 1 May 2026.", "We extended the contract in March until 1 May 2027."),
    ("correction", "The heater is broken.", "The heater has been repaired."),
    ("correction", "The dishwasher is broken.", "The dishwasher works again."),
    ("correction", "Tom lives in Leipzig.", "Tom has moved to Dresden."),
    ("correction", "The heater is broken.", "The heater was repaired on Friday."),
    ("correction", "Tom lives in Leipzig.", "Tom moved to Dresden in July."),
    ("correction", "I live in Leipzig.", "I live in Dresden."),
    ("correction", "I live in Leipzig.", "I moved to Dresden last month."),
    ("negation", "Anna is single.", "Anna is in a relationship."),
    ("negation", "Anna is single.", "Anna has a new boyfriend."),
    ("numeric", "The rent is 890 euros a month, due on the third day.", "Since July the rent is 940 euros a month."),
    ("numeric", "Rent: 890 euros a month, due on the third working day.", "The rent is 940 euros since July."),
    ("numeric", "The Mill Road limit is 50 km/h, checked by 2 cameras.", "The Mill Road limit is 30 km/h since May."),
    ("numeric", "The plan has 100 Mbps, for 35 euros a month.", "The plan has 250 Mbps since March."),
    ("numeric", "The rent is 940 euros a month, up from 890.", "The rent is 890 euros a month."),
    ("numeric", "The port of the gateway is 8080.", "The gateway runs on port 8081."),
    ("correction", "The cabin belongs to Jonas.", "The cabin is owned by Mara."),
    ("correction", "Mia's doctor is Okafor.", "Mia's doctor is Dr Lindqvist."),
    ("correction", "The lift is out of order.", "The lift works again since Monday."),
    ("correction", "The washing machine doesn't work.", "Tom repaired the washing machine."),
    ("correction", "The heater in the bathroom is broken.", "The heater in the bathroom was repaired by the plumber."),
    ("correction", "The dentist's bill is unpaid.", "The dentist's bill was paid on Monday."),
    ("correction", "Grandma's piano is for sale.", "Grandma's piano was sold."),
    ("correction", "My brother lives in Hull.", "My brother moved to Leeds."),
    ("correction", "We live in Graz.", "We moved to Vienna last month."),
    ("correction", "Tom works for Bosch in Ulm.", "Tom left Bosch in May."),
    ("negation", "Jonas is single.", "Jonas is engaged to Lea."),
    ("negation", "My sister is single at the moment.", "My sister has a boyfriend."),
    ("negation", "Max is unemployed.", "Max found a new job."),
    ("correction", "Grandpa is alive and well.", "Grandpa died in March."),
    ("negation", "The flat is vacant.", "The flat is occupied."),
]  # fmt: skip
COMPATIBLE = [
    ("two limits", "The upload limit is 5 MB and 20 MB for admins.", "The upload limit is 20 MB."),
    ("two buses", "The bus leaves at 9:30 and at 10:00.", "The bus leaves at 10:00."),
    ("two things", "The table is 90 cm high and is lit by a lamp of 40 watts.", "The lamp is 40 watts."),
    ("the same value for another case", "The gym costs 25 euros a month, 20 for students.",
     "The gym costs 20 euros a month for students."),
    ("told ahead", "The rent is 890 euros a month, 940 from July on.", "The rent is 940 euros a month since July."),
    ("two measurements", "The tank holds 300 litres, measured in May.", "The tank holds 280 litres since June."),
    ("more than one port", "The port of the gateway is 8080.", "The gateway also listens on port 9090."),
    ("at the moment only", "The capacity of the barrel is 200 litres.", "The barrel currently holds 120 litres."),
    ("a version more exactly", "The version of Postgres is 15.2.", "Postgres is on version 15."),
    ("another heater", "The heater is broken.", "The car heater was fixed."),
    ("one of several", "A lift in the station is out of order.", "A lift in the station works again."),
    ("who was", "Jonas was single.", "Jonas is engaged to Lea."),
    ("engaged in another way", "Jonas is single.", "Jonas is engaged in local politics."),
    ("a trip", "Anna works at Siemens.", "Anna left Berlin."),
    ("an early evening", "Tom works at Siemens.", "Tom left Siemens at five."),
    ("somebody else's brother", "My brother lives in Hull.", "His brother moved to Leeds."),
    ("a rent is no shop", "The shop is open.", "The shop rent has been paid."),
    ("a job for somebody", "Max is unemployed.", "Max has a job for you."),
    ("different attributes", "The retry limit is 3.", "The retry delay is 5."),
    ("different subjects", "The east gateway cap is 3k.", "The west gateway cap is 9k."),
    ("different subjects and a denial", "The server in Oslo is down.", "The server in Lisbon is not down."),
    ("examples", "The kit holds tools, including a red torch.", "The kit holds tools, including a blue torch."),
    ("some of many", "The bank is covered with small white flowers.", "The bank is covered with small red flowers."),
    ("neighbours", "The cabin stands near two lakes.", "The cabin stands near three lakes."),
    ("many numbers", "Run A: 3 workers did 40 jobs in 9 minutes.", "Run A: 4 workers did 50 jobs in 7 minutes."),
    ("another value denied", "The festival did not take place in autumn.", "The festival took place in winter."),
    ("a superlative", "Pine Hall is not the largest of our rooms.", "Pine Hall is larger than our other rooms."),
    ("other verb, other way", "This port is separated from the lan.", "This port is not connected to the lan."),
    ("denied of some", "Some clients are not cached.", "The clients are cached."),
    ("what it is not", "It's not the old boathouse.", "The old boathouse is empty."),
    ("a likeness denied", "Zulip is not like the other tools.", "Zulip differs from the other tools."),
    ("one of several", "The clerk read Anna's letter.", "Anna's second letter was not read by the clerk."),
    ("an indefinite one", "The tank is full.", "An old tank is not full."),
    ("sorts of a thing", "The visit was the opening of a water treatment plant.",
     "The visit was the opening of a wastewater treatment plant."),
    ("other people, in German", "Omar isst Fleisch.", "Lena isst kein Fleisch."),
    ("a heading", "Open questions", "There are no open questions."),
    ("a scrap", "No prior work.", "The best prior work on tide gauges is the report that Ivar wrote for the harbour."),
    ("a converse", "Oslo is larger than Bergen.", "Bergen is smaller than Oslo."),
    ("a converse", "Ann bought the car from Ben.", "Ben sold the car to Ann."),
    ("a converse", "The talk comes before lunch.", "Lunch comes after the talk."),
    ("a converse", "Ann is the mother of Ben.", "Ben is the son of Ann."),
    ("a limit", "The queue never holds more than 100 jobs.", "The queue holds at most 100 jobs."),
    ("a span of time", "The course runs from May to July.", "The course runs in June."),
    ("a rough number", "The herd has a few hundred animals.", "The herd has 300 animals."),
    ("what has ended", "She is no longer a student.", "She was a student."),
    ("other anchors", "Before the talk there is coffee.", "After the coffee there is a talk."),
    ("two statistics", "The lake is 40 m deep on average.", "The lake is 90 m deep at most."),
    ("two cases", "The shop is closed on Sundays.", "The shop is open on weekdays."),
    ("different people", "Alice doesn't eat fish.", "Bob eats fish."),
    ("different speakers", "I don't like mushrooms.", "She likes mushrooms."),
    ("one value in two notations", "The cap is 3.3k ops/s.", "The cap is 3,300 ops/s."),
    ("dated readings", "In 2019 revenue was 5 million.", "In 2020 revenue was 7 million."),
    ("measures of two things", "Grandma's recipe uses 200 g of butter.", "Grandma's recipe uses 300 g of sugar."),
    ("dated readings", "On 1 May the tank held 40 litres.", "On 8 May the tank held 35 litres."),
    ("readings of a quantity", "Weighed 72 kg on Monday.", "Weighed 71 kg on Friday."),
    ("entries", "Oil change at 40,000 km.", "Oil change at 55,000 km."),
    ("events that repeat", "Backed up the database on 2024-03-01.", "Backed up the database on 2024-03-08."),
    ("a history", "Until 2021 we used Jenkins, since then GitHub Actions.", "We used Jenkins in 2019."),
    ("holders of an office", "Obama was president from 2009 to 2017.", "Trump was president from 2017 to 2021."),
    ("holders of an office", "The CEO of Acme was Jane Doe.", "The CEO of Acme is Tom Roe."),
    ("list numbers", "1. Install the package.", "2. Install the package."),
    ("ids", "Ticket #12 is closed.", "Ticket #13 is open."),
    ("named by number", "Chapter 3 covers parsing.", "Chapter 4 covers typing."),
    ("rooms", "Room 101 has a projector.", "Room 102 has a projector."),
    ("error codes", "Payment failed with error 402.", "Payment failed with error 403."),
    ("complementary", "Anna likes tea.", "Anna likes coffee."),
    ("complementary", "Anna has a brother named Tom.", "Anna has a brother named Jim."),
    ("complementary", "Alice is allergic to nuts.", "Alice is allergic to cats."),
    ("a bare not", "Site four: orchid not previously recorded.", "Site nine: orchid present but not flowering."),
    ("a question", "Is the cache enabled?", "The cache is not enabled."),
    ("a condition", "If the cache is enabled, reads are fast.", "The cache is not enabled."),
    ("hearsay", "Tom said that the cache is not enabled.", "The cache is enabled."),
    ("a possibility", "Backups may fail.", "Backups do not fail."),
    ("an instruction", "Don't restart the worker.", "The worker was restarted."),
    ("bounds", "The trip takes at least 3 hours.", "The trip takes 4 hours."),
    ("roughly", "The meeting lasts about 50 minutes.", "The meeting lasts 52 minutes."),
    ("scenes", "A man is playing a guitar.", "A woman is playing a flute."),
    ("circumstances", "Deploy takes 5 minutes on staging.", "Deploy takes 20 minutes on production."),
    ("opposite and denial", "The door is not open.", "The door is closed."),
    ("double denial", "It is not uncommon.", "It is common."),
    ("old and new", "The old server runs Debian 11.", "The new server runs Debian 12."),
    ("a denial of more", "The dog is not chasing the cat.", "The dog is chasing a ball."),
    ("other circumstances", "The store opens at 9.", "The store opens at 9:30 on Sundays."),
    ("other routes", "The train to Bath leaves at 9:10.", "The train to York leaves at 9:40."),
    ("one length in two units", "The warranty lasts two years.", "The warranty lasts 24 months."),
    ("a part and its whole", "He was born in Ulm.", "He was born in Germany."),
    ("one length in two units", "The coastal path is 10 miles long.", "The coastal path is 16 km long."),
    ("two buses", "A bus leaves from Arnes at 8:05.", "A bus leaves from Arnes at 9:35."),
    ("fields of records", "date created: 2022-08-05", "date created: 2022-06-09"),
    ("fields of records", "- 出版时间 2012-01-01", "- 出版时间 2015-05-01"),
    ("some and some", "Some of the tests were flaky.", "Some of the tests were not flaky."),
    ("two seasons", "From 1 May the pool opens at 9.", "From 1 September the pool opens at 10."),
    ("a start at an hour", "The fare is 3 euros.", "From 9 pm the fare is 5 euros."),
    ("some days", "The shop opens at 9.", "From Monday to Friday the shop opens at 10."),
    ("readings of two dates", "The tank holds 40 litres, as of 1 May.", "The tank holds 35 litres, as of 8 May."),
    ("readings of two dates", "Water meter reading on 2 March: 431 l", "Water meter reading on 2 April: 438 l"),
    ("two circumstances", "The flow is 30 l, measured in Oslo.", "The flow is 40 l, measured in Bergen."),
    ("two routes", "The train takes 3 hours, from Oslo.", "The train takes 7 hours, from Bergen."),
    ("two jobs", "Anna earns 3000 euros, as a teacher.", "Anna earns 500 euros, as a singer."),
    ("labels", "Oslo: the server is down.", "Lisbon: the server is not down."),
    ("lists", "The following ports are open: 80, 443.", "The following ports are not open: 22, 25."),
    ("hearsay", "Tom said: the rent is 1020 euros.", "The rent is 950 euros."),
    ("two meetings", "Meeting with Anna on 3 May 2025", "Meeting with Anna on 10 May 2025"),
    ("two meetings", "Meeting with Ben on Tuesday: budget", "Meeting with Ben on Friday: budget"),
    ("two journeys", "Visited Kyoto in May 2019, since Ben lived there.",
     "Visited Kyoto in May 2023, since Ben lived there."),
    ("two runs", "Training run 3 took 40 minutes due to load.", "Training run 4 took 55 minutes due to load."),
    ("fillers", "Stretch target month 1", "Stretch target month 2"),
    ("notes of one template", "- Reading time: 5 minutes", "- Reading time: 10 minutes"),
    ("a clause that points back", "Tom moved: his rent is 900 euros.", "His rent is 700 euros; Ben is glad."),
    ("contraries", "The wine is not sweet.", "The wine is not sour."),
    ("two denials", "The app is not hosted in Oslo.", "The app is not hosted in Lisbon."),
    ("crossed roles", "Paris beat Lyon in the final.", "Lyon did not beat Paris in the final."),
    ("crossed roles", "Ann is not taller than Ben.", "Ben is taller than Ann."),
    ("turned voice", "The pupils praised the cooks.", "The pupils were not praised by the cooks."),
    ("first of some", "Lena was the first German to win the race.", "Lena was not the first to win the race."),
    ("largest of some", "The elm is the oldest tree in the park.", "The elm is not the oldest tree."),
    ("somebody of the subject's", "The mayor's brother was fined.", "The mayor was not fined."),
    ("somebody of the subject's", "A friend of Ben was fined.", "Ben was not fined."),
    ("only mentioned", "The firm sells chairs for your home office.", "The firm is not a home."),
    ("another bearer", "The short man there is not Igor.", "Igor is a short man."),
    ("some other one", "Someone opened the window.", "Someone closed the window."),
    ("a denial that restricts", "A guest who is not old may swim.", "An old guest may swim."),
    ("not so far", "Ann hasn't visited Rome yet.", "Ann will visit Rome."),
    ("named by letters", "Plan A does not include support.", "Plan B includes support."),
    ("named by letters", "Option a is cheap.", "Option b is not cheap."),
    ("unlike another", "Unlike Ann, Ben does not smoke.", "Ann smokes."),
    ("other verbs", "The app was built by Kim's team in May.", "The app was not tested by Kim's team in May."),
    ("a ban in two wordings", "You must not paint the flat.", "You are forbidden to paint the flat."),
    ("a denial said twice", "The company did not deny the report.", "The company confirmed the report."),
    ("named by a year", "The 2017 bonds have a discount of $6 million.", "These bonds have a discount of $5 million."),
    ("readings of two dates", "The loans at 31 May 2023 were the following.",
     "The loans at 31 May 2024 were the following."),
    ("compared years", "Sales fell, comparing 2008 to 2007.", "Sales fell, comparing 2007 to 2006."),
    ("hours", "The shop is open from 9 to 5.", "The shop closes at 5."),
    ("a comparison", "Nothing is more important than safety.", "Safety is important."),
    ("a comparison", "Rust is less common than Go.", "Rust is not as common as Go."),
    ("too much for it", "The box was too heavy to carry up.", "The box was not carried up."),
    ("two instalments", "The instalment is 200 euros, due on 1 March.", "The instalment is 250 euros, due on 1 April."),
    ("what was paid once", "Lunch costs 9 euros.", "Lunch: 12 euros"),
    ("two measures", "The kayak is 5.2 m long.", "Kayak width: 0.6 m"),
    ("one date", "The library card expires in May 2028.", "The library card was renewed until May 2028."),
    ("two things", "The passport expires in May 2026.", "The library card was renewed until May 2028."),
    ("two things", "The heater is broken.", "The boiler works again."),
    ("a past", "The heater was broken.", "The heater has been repaired."),
    ("a past", "Anna lived in Leipzig.", "Anna moved to Dresden."),
    ("a past", "Anna lived in Leipzig.", "Anna lives in Dresden."),
    ("one home", "Tom lives in Dresden.", "Tom moved to Dresden."),
    ("no place", "Tom lives with his sister.", "Tom moved to Dresden."),
    ("two people", "Tom's brother lives in Leipzig.", "Tom moved to Dresden."),
    ("a town and its country", "Tom lives in Saxony.", "Tom moved to Dresden."),
    ("a town and its country", "The office is located in Lyon.", "The office is located in France."),
    ("with whom", "Tom lives in Leipzig.", "Tom lives with Ben."),
    ("two journeys", "I met Ben in Rome.", "I have now met Ben in Oslo."),
    ("two journeys", "I visited Rome.", "I have now visited Oslo."),
    ("two people", "Ben is single.", "Anna is in a relationship."),
    ("not single, not married", "Anna is not married.", "Anna is in a relationship."),
    ("kept from it", "The rain kept the band from playing.", "The band did not play."),
    ("kept from it", "Tom refrained from voting.", "Tom did not vote."),
    ("declined", "The bank declined to comment.", "The bank did not comment."),
    ("forgotten", "Tom forgot to pay the bill.", "Tom did not pay the bill."),
    ("not since", "He has not smoked since May.", "He smoked in May."),
    ("not since", "Ann has not been seen since Monday.", "Ann was seen on Monday."),
    ("before and after", "He did not die in the war.", "He died after the war."),
    ("all but one", "The key does not fit any lock but this one.", "The key fits this lock."),
    ("who she is not", "She is not the woman who called.", "The woman called."),
    ("shares", "Many people do not vote.", "Many people vote."),
    ("shares", "The rest of the trees did not survive.", "Some of the trees survived."),
    ("degrees", "The river does not usually freeze.", "The river freezes in cold years."),
    ("degrees", "The pool is not always open.", "The pool is sometimes open."),
    ("not yet", "The pool is not open yet.", "The pool opens in May."),
    ("other people", "I thought they were losers.", "I thought you were winners."),
    ("one interval", "Backups run daily.", "Backups run every day."),
    ("one interval", "The filter is changed every year.", "The filter is changed every 12 months."),
    ("one interval", "The certificate is renewed quarterly.", "The certificate is renewed every 90 days."),
    ("two meetings", "The weekly meeting is on Monday.", "The monthly meeting is on Friday."),
    ("two regimes", "Take one pill every morning.", "Take two pills every evening."),
    ("an interval and a day", "The team meets weekly.", "The team meets every Monday."),
    ("an interval and a bound", "Back up at least once a month.", "Back up every week."),
    ("another round", "The price of the Monday round went up to 40 euros.",
     "The price of the round every morning went up to 20 euros."),
    ("a habit", "She swims every day.", "She swims every week."),
    ("a habit", "Ann swims daily.", "Ann swims weekly."),
    ("what moves", "The cat is in the garden.", "The cat is in the kitchen."),
    ("who moves", "Ann is in the kitchen.", "Ann is in the garden."),
    ("some of many", "Spare parts are in the cellar.", "Spare parts are in the attic."),
    ("some of many", "There is a lamp in the cellar.", "There is a lamp in the attic."),
    ("a box in a room", "The keys are in the drawer.", "The keys are in the kitchen."),
    ("said of two rooms", "The wifi is bad in the cellar.", "The wifi is bad in the attic."),
    ("for the moment", "The ladder is in the garage today.", "The ladder is in the shed."),
    ("other words", "Ravi is building TaskBoat with Next.js.", "TaskBoat, Ravi's program, is written on top of Next."),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "left", "right"), CONTRADICTIONS)
def test_what_cannot_both_hold_is_found_whichever_comes_first(kind: str, left: str, right: str) -> None:
    forth, back = contradiction_of(left, right), contradiction_of(right, left)
    assert forth is not None
    assert back is not None
    assert (forth.kind, back.kind) == (kind, kind)
    assert forth.sentences == back.sentences[::-1]
    assert forth.values == back.values[::-1]
    assert 0.5 <= forth.confidence <= 1.0


@pytest.mark.parametrize(("why", "left", "right"), COMPATIBLE)
def test_what_can_both_hold_raises_no_alarm(why: str, left: str, right: str) -> None:
    assert contradiction_of(left, right) is None, why
    assert contradiction_of(right, left) is None, why


def test_the_values_that_differ_are_named_as_they_were_written() -> None:
    found = contradiction_of("The cap is 3.3k ops/s.", "The cap is 9k ops/s.")
    assert found is not None
    assert found.values == ("3.3k ops/s", "9k ops/s")


@pytest.mark.parametrize(
    ("left", "right", "values"),
    [
        ("The battery is a 2200 mAh cell.", "The battery is a 3300 mAh cell.", ("2200 mAh", "3300 mAh")),
        ("The plan covers 40 % of all members.", "The plan covers 60 % of the members.", ("40 %", "60 %")),
        ("The team has 12 engineers.", "The team has 15 engineers.", ("12 engineers", "15 engineers")),
        ("The launch is on 12 March 2026", "The launch is on 19 March 2026", ("12 March 2026", "19 March 2026")),
        ("The database is Postgres 15.", "The database is MySQL 8.", ("Postgres 15", "MySQL 8")),
        ("The shop is live.", "The shop is not live.", ("live", "not live")),
    ],
)
def test_values_carry_what_they_count(left: str, right: str, values: tuple[str, str]) -> None:
    found = contradiction_of(left, right)
    assert found is not None
    assert found.values == values


def test_a_conflict_of_main_clauses_names_the_whole_sentences_and_is_a_little_less_sure() -> None:
    bare, longer = "The fee is 45 euros a month.", "The fee is 45 euros a month, because the hall was rebuilt."
    plain = contradiction_of("The fee is 40 euros a month.", bare)
    attached = contradiction_of("The fee is 40 euros a month.", longer)
    assert plain is not None
    assert attached is not None
    assert attached.sentences[1] == longer
    assert 0.9 * plain.confidence < attached.confidence < plain.confidence


def test_among_many_passages_a_long_explanation_hides_no_conflict() -> None:
    reason = "the card terminal at the harbour answers slowly when the tide is high and the mast sways in the wind"
    texts = ["The gateway timeout is 30 seconds.", f"The gateway timeout is 60 seconds, because {reason}."]
    assert [found.kind for _, _, found in contradictions([(text, None) for text in texts])] == ["numeric"]


def test_the_side_that_corrects_is_named() -> None:
    found = contradiction_of("Anna lives in Berlin.", "Anna moved from Berlin to Paris.")
    assert found is not None
    assert (found.corrects, found.values) == ("right", ("Berlin", "Paris"))


@pytest.mark.parametrize(
    ("old", "values"),
    [("The home server runs Debian 12.", ("Debian 12", "NixOS")), ("The home server runs Debian 11.", None)],
)
def test_what_was_given_up_with_its_version_is_known_by_both(old: str, values: tuple[str, str] | None) -> None:
    found = contradiction_of(old, "We moved off Debian 12; the home server now runs NixOS.")
    assert (found.values if found else None) == values


@pytest.mark.parametrize(
    ("left", "right", "kind"),
    [
        ("My dentist is Dr Okafor.", "My dentist is Dr Weiss.", "correction"),
        ("My friend is Doctor Okafor.", "My friend is Doctor Weiss.", ""),
    ],
)
def test_a_title_before_a_name_hides_no_other_holder_of_a_role(left: str, right: str, kind: str) -> None:
    found = contradiction_of(left, right)
    assert (found.kind if found else "") == kind


def test_tomorrow_is_another_day_when_it_was_said_on_another_day() -> None:
    monday, friday = datetime(2026, 3, 2, tzinfo=UTC), datetime(2026, 3, 6, tzinfo=UTC)
    tomorrow = read_claims("The inspection of the boiler is tomorrow.", monday)
    assert contradiction(tomorrow, read_claims("The inspection of the boiler is today.", friday)) is not None
    assert contradiction(tomorrow, read_claims("The inspection of the boiler is on 3 March.", friday)) is None


def test_the_surest_pair_of_sentences_of_two_passages_speaks() -> None:
    left = "Notes on the depot. The retry limit is 3. Anna wrote this."
    right = "The retry limit is 5. It rains in Oslo."
    found = contradiction_of(left, right)
    assert found is not None
    assert found.sentences == ("The retry limit is 3.", "The retry limit is 5.")


def test_contradictions_among_many_passages_are_those_of_each_pair() -> None:
    texts = [
        "The west gateway read cap is 3.3k ops/s at 128 workers.",
        "The west gateway read cap is 9k ops/s at 128 workers.",
        "The west gateway read cap is 3,300 ops/s at 128 workers.",
        "The east gateway read cap is 9k ops/s at 64 workers.",
        "Tomatoes on the south wall ripen in August.",
    ]
    found = contradictions([(text, None) for text in texts])
    assert [(left, right, verdict.kind) for left, right, verdict in found] == [(0, 1, "numeric"), (1, 2, "numeric")]


def test_among_many_passages_the_likeness_of_two_is_heeded() -> None:
    passages = [("The retry limit is 3.", None), ("The retry limit is 5.", None)]
    assert contradictions(passages, lambda _left, _right: 0.1) == ()
    assert len(contradictions(passages, lambda _left, _right: None)) == 1


def test_unrelated_memories_full_of_numbers_raise_no_alarm() -> None:
    texts = [
        "The second-stage ranker reads fifty candidates.",
        "Search mixes words and meaning, seven to three.",
        "Tomatoes on the south wall ripen in August.",
        "The first crewed landing on the Moon was in July 1969.",
        "The ferry timetable of 2024 has twelve sailings in August.",
        "Rent is 900 a month; the shed is 12 square metres.",
    ]
    assert contradictions([(text, None) for text in texts]) == ()


@pytest.mark.parametrize(
    ("left", "right", "kind"),
    [
        ("I am allergic to nuts.", "I am not allergic to nuts after all.", "negation"),
        ("The trip is cancelled.", "The trip is not cancelled after all.", "negation"),
        ("Ann is single.", "Ann is married.", "negation"),
    ],
)
def test_corrections_at_the_end_and_words_that_are_numbers_elsewhere(left: str, right: str, kind: str) -> None:
    found = contradiction_of(left, right)
    assert found is not None
    assert found.kind == kind


def test_an_age_grows_with_the_days_on_which_it_was_told() -> None:
    def ages(one: int, other: int) -> bool:
        first = read_claims(f"Mina is {one} years old.", datetime(2026, 1, 5, tzinfo=UTC))
        later = read_claims(f"Mina is {other} years old.", datetime(2026, 7, 5, tzinfo=UTC))
        return contradiction(first, later) is not None

    assert not ages(7, 8)
    assert ages(7, 12)
    assert ages(8, 7)
    assert contradiction_of("Mina is 7 years old.", "Mina is 8 years old.") is not None  # nobody knows when


def test_the_likeness_of_passages_tells_nothing_of_one_sentence_among_several() -> None:
    long = ("The doctor confirmed the allergy to penicillin. I drink coffee in the morning.", None)
    short = ("I no longer drink coffee.", None)
    assert contradictions([long, short], lambda _, __: 0.1)
    assert not contradictions([("I drink coffee in the morning.", None), short], lambda _, __: 0.1)


@pytest.mark.parametrize(
    ("days", "kind"), [(30, "correction"), (-30, "")], ids=["repaired later", "broken again since"]
)
def test_a_change_answers_what_was_so_until_then_and_nothing_said_later(days: int, kind: str) -> None:
    broken = datetime(2026, 3, 2, tzinfo=UTC)
    said = (
        read_claims("The heater is broken.", broken),
        read_claims("The heater has been repaired.", broken + timedelta(days=days)),
    )
    found = contradiction(*said)
    assert (found.kind if found else "") == kind
    assert found is None or (found.corrects, found.values) == ("right", ("broken", "repaired"))


@pytest.mark.parametrize(
    ("left", "right", "kind"),
    [
        ("The flat of my brother Jan has 3 rooms.", "The flat of my brother Eva has 3 rooms.", ""),
        ("My brother Jan has 3 cats.", "My brother Jan has 4 cats.", "numeric"),
        ("The course starts in Jan.", "The course starts in March.", "temporal"),
        ("The course starts on 3 Jan.", "The course starts on 5 Jan.", "temporal"),
    ],
)
def test_jan_is_a_month_only_where_a_month_can_stand(left: str, right: str, kind: str) -> None:
    found = contradiction_of(left, right)
    assert (found.kind if found else "") == kind

/**
 * The IAB Ad Product Taxonomy 2.0, whole.
 * Source: IAB Tech Lab, https://github.com/InteractiveAdvertisingBureau/Taxonomies,
 * "Ad Product Taxonomies/Ad Product Taxonomy 2.0.tsv", licensed under CC BY 3.0
 * (https://creativecommons.org/licenses/by/3.0/).
 * Changed: where the columns of a row contradict each other, the tiers are taken over the parent (1000, 1037 to 1041,
 * 1426) and the name (1121, 1467); 1489, 1521, 1523 and 1550 are spelled right.
 *
 * One line an entry: id, tab, id of the parent (nothing at the top), tab, name.
 */
export const AD_PRODUCT_2 = `
1000		Ad Safety Risk
1001		Adult Products and Services
1002		Alcohol
1003	1002	Bars
1004	1002	Beer
1005	1002	Hard Sodas, Seltzers, Alco Pops
1006	1002	Spirits
1007	1002	Wine
1008		Culture and Fine Arts
1009	1008	Museums and Galleries
1010		Business and Industrial
1011	1010	Advertising and Marketing
1012	1010	Business Services
1013	1012	Consulting
1014	1012	Employee Expense and Time Tracking Services
1015	1012	Event Planning
1016	1012	Human Resources and Recruiting
1017	1012	Information Technology Services
1018	1012	Laundry and Dry Cleaning Services
1019	1012	Logistics and Delivery
1020	1012	Office Equipment and Supplies
1021	1012	Photographers
1022	1012	Printing/Fax/WiFi Services
1023	1012	Public Relations and Strategic Communication
1024	1012	Security and Protection
1025	1012	Storage Facilities
1026	1012	Telecom Services
1027	1012	Web Hosting and Cloud Computing
1028	1010	Construction
1029	1010	Energy Industry
1030	1029	Electric Power Industry
1031	1029	Energy Services
1032	1029	Green Energy
1033	1029	Oil, Gas and Consumable Fuels
1034	1010	Forestry and Logging
1035	1010	Industrial Storage
1036	1010	Industrials
1037	1036	Aerospace and Defense
1038	1036	Construction and Engineering
1039	1036	Industrial Conglomerates
1040	1036	Trading Companies and Distributors
1041	1036	Transportation
1042	1010	Manufacturing
1043	1010	Medical and Biotechnology
1044	1010	Mining and Quarrying
1045	1010	Science and Laboratory
1046	1010	Signage
1047	1010	Small Business
1048	1010	Waste Disposal and Recycling
1049		Cannabis
1050	1049	Cannabis Consumables
1051	1050	Cannabis Drinks
1052	1050	Cannabis Edibles
1053	1049	Cannabis Equipment
1054	1049	Cannabis Stores
1055	1049	Cannabis Stocks
1056	1049	CBD Consumables
1057	1049	CBD Topicals
1058		Clothing and Accessories
1059	1058	Clothing
1060	1059	Children's Clothing
1061	1059	Maternity Clothing
1062	1059	Men's Clothing
1063	1059	Sportswear
1064	1059	Swimwear
1065	1059	Underwear and Lingerie
1066	1059	Wedding Dresses/Bridal Wear/Tuxedos
1067	1059	Women's Clothing
1068	1058	Clothing Accessories
1069	1058	Costumes and Accessories
1070	1058	Footwear
1071	1058	Footwear Accessories
1072	1058	Handbags and Wallets
1073	1058	Jewelry and Watches
1074	1058	Sunglasses
1075		Collectables and Antiques
1076	1075	Antiques
1077	1075	Coins and Paper Money
1078	1075	Collectibles
1079	1075	Entertainment Memorabilia
1080	1075	Sports Memorabilia and Trading Cards
1081	1075	Stamps
1082		Computer Software
1083	1082	Browser Extensions
1084	1082	Downloadable Utilities
1085	1082	Enterprise Computer Software
1086	1082	Personal Computer Software
1087	1082	Toolbars
1088		Cosmetic Services
1089	1088	Beauty Salons
1090	1088	Hair Salons
1091	1088	Hair Removal
1092	1088	Hair Restoration
1093	1088	Nail Salons
1094	1088	Med Spas
1095	1088	Piercing and Tattooing
1096	1088	Tanning Salons
1097		Consumer Electronics
1098	1097	Arcade Equipment
1099	1097	Camcorders
1100	1097	Cameras and Photo
1101	1100	Camera and Photo Accessories
1102	1100	Cameras
1103	1100	Photo Applications
1104	1097	Circuit Boards and Components
1105	1097	Communications Electronics
1106	1097	Computers
1107	1106	Laptops
1108	1106	Desktops
1109	1097	E-Readers
1110	1097	Electronics Accessories
1111	1097	Headphones
1112	1097	Home Theater Systems
1113	1097	Marine Electronics
1114	1097	Mobile Phones and Accessories
1115	1097	Networking
1116	1097	Printers/Copiers/Scanners/Fax
1117	1097	Security Devices
1118	1097	Tablets
1119	1097	Televisions
1120	1097	Video Games
1121	1097	Video Game Consoles
1122	1097	Video Game Console Accessories
1123		Consumer Packaged Goods
1124	1123	Baby and Toddler Products
1125	1124	Diapers
1126	1124	Nursing and Feeding Products
1127	1123	Back to School Supplies
1128	1123	Barbeque
1129	1128	Charcoal
1130	1128	Charcoal Lighter Fluids
1131	1123	Beverages
1132	1131	Carbonated Soft Drinks
1133	1131	Coffee and Tea
1134	1131	Drink Mixes
1135	1131	Juices
1136	1131	Sports/Energy Drinks
1137	1131	Water
1138	1123	Cosmetics
1139	1138	Cosmetics Accessories
1140	1138	Cosmetics-Nail
1141	1138	Eye
1142	1138	Facial
1143	1138	Lip
1144	1138	Storage
1145	1123	Disposable Tableware
1146	1145	Cups and Plates
1147	1145	Disposable Tableware
1148	1123	Foils, Wraps, and Bags
1149	1148	Foil Pans
1150	1148	Foils and Wraps
1151	1148	Food and Trash Bags
1152	1123	Fragrance
1153	1152	Fragrances - Women's
1154	1152	Shaving Lotion/Men's Fragrance
1155	1123	Frozen
1156	1155	Frozen Baked Goods
1157	1155	Frozen Beverages
1158	1155	Frozen Desserts
1159	1155	Frozen Fruits and Vegetables
1160	1155	Frozen Juices
1161	1155	Frozen Meals
1162	1155	Frozen Meat/Poultry/Seafood
1163	1155	Frozen Snacks
1164	1155	Other Frozen
1165	1123	General Food
1166	1165	Baby Food
1167	1165	Bakery
1168	1165	Baking
1169	1165	Breakfast
1170	1165	Candy
1171	1165	Condiments and Sauces
1172	1165	Cookies and Crackers
1173	1165	Fruit
1174	1165	Meals
1175	1165	Snacks
1176	1165	Vegetables
1177	1123	General Merchandise
1178	1123	Grooming Supplies
1179	1123	Hair Care
1180	1179	Hair Accessories
1181	1179	Hair Coloring
1182	1179	Hair Conditioner
1183	1179	Hair Growth Products
1184	1179	Hair Spray/Spritz
1185	1179	Hair Styling Gel/Mousse
1186	1179	Home Permanent/Relaxer Kits
1187	1179	Shampoo
1188	1123	HFSS Products [High Fat, Sugar, Salt]
1189	1123	Home Care
1190	1189	Household Cleaning
1191	1189	Laundry
1192	1123	Hosiery
1193	1192	Pantyhose/Nylons
1194	1192	Socks
1195	1192	Tights
1196	1123	Household/Plastics/Storage
1197	1196	Bottles
1198	1196	Drinkware
1199	1196	Household Plastics
1200	1196	Kitchen Storage
1201	1123	Meal Kits
1202	1123	Miscellaneous General Merch
1203	1123	Office/School Supplies
1204	1203	Children's Art Supplies
1205	1203	Computer Disks Frmtd/UnFrmtd
1206	1203	Office Products
1207	1203	Writing Instruments
1208	1123	Over the Counter Medication
1209	1123	Paper Products
1210	1209	Facial Tissue
1211	1209	Paper Napkins
1212	1209	Paper Towels
1213	1209	Toilet Tissue
1214	1123	Personal Care
1215	1123	Personal Cleansing
1216	1215	Bath Products
1217	1215	Bath/Body Scrubbers/Massagers
1218	1215	Deodorant
1219	1215	Moist Towelettes
1220	1215	Soap
1221	1123	Pest Control
1222	1221	Outdoor Insect/Rodent Control Chem
1223	1221	Pest Control
1224	1123	Pet Care
1225	1224	Cat/Dog Litter
1226	1224	Pet Food
1227	1224	Pet Supplies
1228	1224	Pet Treats
1229	1123	Refrigerated
1230	1229	Dairy
1231	1229	Refrigerated Baked Goods
1232	1229	Refrigerated Beverages
1233	1229	Refrigerated Condiments
1234	1229	Refrigerated Desserts
1235	1229	Refrigerated Dough
1236	1229	Refrigerated Meals
1237	1229	Refrigerated Meats
1238	1229	Refrigerated Miscellaneous
1239	1123	Religious Items
1240	1123	Shaving
1241	1240	Blades
1242	1240	Razors
1243	1240	Shaving Cream
1244	1123	Skin Care
1245	1244	Hand and Body Lotion
1246	1244	Skin Care
1247	1244	Suntan Products
1248	1123	Toys and Games
1249	1248	Games
1250	1248	Outdoor Play Equipment
1251	1248	Puzzles
1252	1248	Toys
1253	1123	Vitamins and Supplements
1254	1253	Digestive Supplements
1255	1253	Weightloss Supplements
1256	1123	Water Treatment
1257	1256	Water Filter/Devices
1258	1256	Water Softeners/Treatment
1259		Dating
1260	1259	Casual Relationships
1261	1259	Serious Relationships
1262		Debated Sensitive Social Issue
1263		Durable Goods
1264	1263	Electronics/Photography
1265	1264	Batteries
1266	1264	Blank Audio/Video Media
1267	1264	Photography Supplies
1268	1263	Furniture
1269	1268	Indoor Furniture
1270	1268	Outdoor Furniture
1271	1263	Grooming Supplies
1272	1271	Electric Shaver Groomer
1273	1271	Hair Appliances
1274	1263	Tools and Hardware
1275	1274	Consumer Hardware Supplies
1276	1274	Industrial Hardware Supplies
1277	1263	Home and Garden Products
1278	1277	Bathroom Accessories
1279	1277	Bedroom Furniture and Accessories
1280	1277	Carpets and Rugs
1281	1277	Fireplaces
1282	1277	Home Decor
1283	1277	Housewares
1284	1277	Kitchen and Dining Products
1285	1277	Lawn and Garden Products
1286	1277	Lighting
1287	1277	Linens and Bedding
1288	1277	Plants
1289	1263	Household Appliances
1290	1263	Luggage and Bags
1291		Dieting and Weightloss
1292	1291	Food Logging
1293	1291	Weightloss Services
1294	1291	Workout and Step Tracking Applications
1295		Education and Careers
1296	1295	Adult Education
1297	1295	Certification Programs
1298	1295	Colleges and Universities
1299	1298	Post-Graduate Education
1300	1295	Education Applications
1301	1295	Employment Agencies
1302	1295	Higher Education
1303	1295	Language Learning
1304	1295	Online Education
1305	1295	Primary Education
1306	1295	Remote work and school
1307	1306	Distance learning
1308	1306	Homeschooling
1309	1306	Online Surveys
1310	1306	Multi-Level Marketing
1311	1306	Telecommuting
1312	1295	Study Skills
1313	1295	Teaching Resources
1314	1295	Trade Schools
1315		Events and Performances
1316	1315	Auctions
1317	1315	Cinemas and Movie Events
1318	1315	Comedy Events
1319	1315	Concerts
1320	1315	Conferences, Lectures and Workshops
1321	1315	Exhibitions
1322	1315	Fan Conventions
1323	1315	Fashion Events
1324	1315	Nightlife Experiences
1325	1315	Sporting Events
1326	1315	Seasonal and Holiday Events
1327	1315	Theatre and Musicals
1328		Family and Parenting
1329	1328	Childcare
1330	1329	Day Care Centers
1331	1329	Nanny Services
1332	1328	Genealogy and Family Trees
1333	1328	Kids Activities
1334	1328	Senior Living
1335		Finance and Insurance
1336	1335	Accountants and Bookkeepers
1337	1335	Banking
1338	1335	Credit and Debt Repair/Credit Reporting
1339	1335	Credit Cards
1340	1335	Insurance
1341	1340	Auto Insurance
1342	1340	Home Insurance
1343	1340	Life Insurance
1344	1340	Medical Insurance
1345	1340	Pet Insurance
1346	1340	Travel Insurance
1347	1335	Insurance Coverage Apps
1348	1335	Mortgage Lenders and Brokers
1349	1335	Payday and Emergency Loans
1350	1335	Retirement Planning
1351	1335	Stocks and Investments
1352	1335	Financial Investment and Management Applications
1353	1335	Student Financial Aid
1354	1335	Tax Preparation Services
1355		Food and Beverage Services
1356	1355	Bakeries
1357	1355	Catering
1358	1355	Fast Food
1359	1355	Food Delivery Services
1360	1355	Restaurants
1361		Gambling
1362	1361	Casinos
1363	1361	Contests
1364	1361	Give Aways
1365	1361	Lottery
1366	1361	Sports Betting
1367	1361	Virtual Betting
1368		Green/Eco
1369	1368	Green/Eco Products
1370	1368	Green/Eco Services
1371		Gifts and Holiday Items
1372	1371	Flowers
1373	1371	Gift Baskets
1374	1371	Gift Cards and Coupons
1375	1371	Gift Certificates
1376	1371	Greeting Cards
1377	1371	Party Goods
1378		Health and Medical Services
1379	1378	Alternative and Natural Medicine
1380	1378	Assisted Living
1381	1378	Chiropractors
1382	1378	Clinical Research
1383	1378	Cosmetic Medical Services
1384	1378	Dental Care
1385	1378	Dermatology
1386	1378	Drugstores and Pharmacies
1387	1378	Fertility and Family Planning
1388	1378	General Practitioners
1389	1378	Home Healthcare
1390	1378	Hospitals
1391	1378	Mental Health
1392	1378	Physical Therapists
1393	1378	Service Provider Search and Scheduling
1394	1378	Symptom Monitoring Apps
1395	1378	Vision Care
1396		Home and Garden Services
1397	1396	Appliance Repair
1398	1396	Business and Home Security Services
1399	1396	Carpeting and Flooring Services
1400	1396	Do It Yourself Applications
1401	1396	Emergency Preparedness
1402	1396	Flood, Fire and Gas Safety
1403	1396	Gas and Electric Services
1404	1396	Home Improvement and Repair
1405	1396	Home Security and Monitoring Applications
1406	1396	Home Service Provider Review
1407	1396	Housekeeping Services
1408	1396	Landscaping Services
1409	1396	Lawn and Garden Services
1410	1396	Pest Exterminators
1411	1396	Plumbers
1412	1396	Pool and Spa Installation and Maintenance
1413	1396	Remodeling and Construction
1414	1396	Water Services
1415	1396	Window Installation and Treatments
1416		Legal Services
1417	1416	Lawyers
1418	1416	Bail Bonds
1419		Media
1420	1419	Blogs/Forums/Social Networks
1421	1419	Book Reading and Review Applications
1422	1419	Books and Audio Books
1423	1419	Casual Games
1424	1423	Casual Games Apps
1425	1419	Core Gaming
1426	1425	Core Gaming Apps
1427	1419	CDs and Vinyl Records
1428	1419	DVDs
1429	1419	Live Television
1430	1419	Magazines and Newspapers
1431	1419	Music and Video Streaming Services
1432	1419	News and Analysis
1433	1419	Radio and Podcasts
1434	1419	Sports
1435	1434	Fantasy Sports
1436	1434	Sports Highlights
1437	1434	Team News and Analysis
1438	1419	Utilities Apps
1439	1438	Productivity Apps
1440	1438	Reference Apps
1441	1438	Search Engine Apps
1442	1438	Weather Apps
1443		Metals
1444	1443	Coin Trade In
1445	1443	Gold Trade In
1446	1443	Platinum Trade In
1447	1443	Silver Trade In
1448		Non-Fiat Currency
1449	1448	Cryptocurrency Exchanges
1450	1448	Cryptocurrency Stock
1451	1448	NFTs
1452		Non-Profits
1453	1452	Charities and Donations
1454	1452	Civic Organizations
1455	1452	Federations and Professional Associations
1456	1452	Military Organizations
1457	1452	Non-Governmental Organizations
1458	1452	Public Service Announcements
1459	1452	Scholarships
1460		Pet Ownership
1461	1460	Pet Adoption
1462	1460	Pet Breeders
1463	1460	Pet Care and Supply Applications
1464	1460	Pet Grooming
1465	1460	Pet Sitting
1466	1460	Veterinary Services
1467		Personal/Consumer Telecom
1468	1467	Home Internet Services
1469	1467	Home Phone Services
1470	1467	Home Television Services
1471	1467	Mobile Phone Plans
1472	1467	Prepaid International Phone Services
1473		Pharmaceuticals
1474		Politics
1475	1474	Ballot measures
1476	1474	Elections
1477	1474	Political Action Committees
1478	1474	Political Analysis and Opinion
1479	1474	Political candidates
1480	1474	Political Donations
1481	1474	Referendums or promoting causes; eg: Healthcare reform, energy trades (Oil/Solar), etc...
1482		Real Estate
1483	1482	Commercial Real Estate
1484	1482	Real Estate Rentals
1485	1482	Real Estate Sales
1486	1482	Real Estate Services For Owners
1487		Religion and Spirituality
1488	1487	Astrology
1489	1487	Prayer and Mindfulness Applications
1490	1487	Prayer and Worship Services
1491	1487	Religious Causes
1492	1487	Religious Charities
1493	1487	Religious Organizations
1494		Retail
1495	1494	Arts and Crafts Supplies
1496	1494	Cell Phone Stores
1497	1494	Clothing Stores
1498	1494	Department Stores
1499	1494	eCommerce
1500	1494	Factory Outlet Stores
1501	1494	Grocery Stores and Supermarkets
1502	1494	Hardware Stores
1503	1494	Musical Instruments and Record Stores
1504	1494	Pawn Shops
1505	1494	Pet and Pet Supply Stores
1506	1494	Shopping Malls
1507	1494	Specialty Stores
1508	1494	Sporting Goods Stores
1509	1494	Ticket Services
1510		Fitness Activities
1511	1510	Dance Studios
1512	1510	Gyms and Health Clubs
1513	1510	Participant Sports Leagues
1514	1510	Personal Trainers
1515	1510	Self Defense and Martial Arts Classes
1516	1510	Swimming Facilities
1517	1510	Workout and Step Tracking Applications
1518	1510	Yoga Studios
1519		Sexual Health
1520	1519	Contraceptives
1521	1519	Doctor Prescribed Medicines
1522	1519	Fertility Tracking Applications
1523	1519	Non-Prescribed Performance Enhancers
1524		Sporting Goods
1525	1524	Athletics Equipment
1526	1524	Exercise and Fitness Equipment
1527	1524	Indoor Games Equipment
1528	1524	Outdoor Recreation Equipment
1529		Travel and Tourism
1530	1529	Accommodations
1531	1530	Bed and Breakfasts
1532	1530	Camping and Camp Grounds
1533	1530	Hotels and Resorts
1534	1530	Motels
1535	1530	Timeshares
1536	1530	Vacation Rentals
1537	1529	Air Travel
1538	1529	Cruises
1539	1529	Rail Travel
1540	1529	Sightseeing Tours and Activities
1541	1529	Travel Agents and Online Travel Services
1542	1529	Travel Packages
1543	1529	Travel Planning and Itinerary Management Applications
1544		Tobacco
1545	1544	Cigars
1546	1544	Cigarettes
1547	1544	Smokeless Tobacco
1548	1544	Vaping
1549	1544	Vaping Cartridges
1550	1544	Vaporizers
1551		Vehicles
1552	1551	Automotive Leasing
1553	1551	Automotive Ownership
1554	1553	New Vehicle Ownership
1555	1553	Pre-owned Automotive Ownership
1556	1551	Automotive Products
1557	1556	Automotive Care Products
1558	1556	Automotive Parts and Accessories
1559	1556	Aftermarket Parts and Accessories
1560	1551	Automotive Services
1561	1560	Auto Towing
1562	1560	Auto Repair
1563	1560	Car Wash
1564	1551	Automotive Sales Applications
1565	1551	Ride-sharing Services
1566	1551	Taxi Services
1567	1551	Vehicle Rental
1568	1551	Vehicle Type
1569	1568	Boats
1570	1568	Diesel Vehicles
1571	1568	Electric Vehicles
1572	1568	Gas Vehicles
1573	1568	Hybrid Vehicles
1574	1568	Recreational Vehicles
1575	1568	Scooters, Motorbikes, and E-bikes
1576		Weapons and Ammunition
1577	1576	Ammunition
1578	1576	Guns
1579	1576	Gun Accessories
1580	1576	Gun Shows and Auctions
1581	1576	Non-Projectile Weapons
1582	1576	Taser and Stun Guns
`;

/**
 * The IAB Content Taxonomy 3.1, whole, read for 3.0 too.
 * Source: IAB Tech Lab, https://github.com/InteractiveAdvertisingBureau/Taxonomies,
 * "Content Taxonomies/Content Taxonomy 3.1.tsv", licensed under CC BY 3.0
 * (https://creativecommons.org/licenses/by/3.0/).
 * Changed: the parent of 497 is the one that its tiers name.
 *
 * One line an entry: id, tab, id of the parent (nothing at the top), tab, name.
 */
export const CONTENT_3 = `
150		Attractions
151	150	Amusement and Theme Parks
179	150	Bars & Restaurants
181	150	Casinos & Gambling
153	150	Historic Site and Landmark Tours
154	150	Malls & Shopping Centers
155	150	Museums & Galleries
158	150	Nightclubs
159	150	Outdoor Activities
160	150	Parks & Nature
177	150	Theater Venues
178	150	Zoos & Aquariums
1		Automotive
2	1	Auto Body Styles
3	2	Commercial Trucks
8	2	Convertible
9	2	Coupe
10	2	Crossover
11	2	Hatchback
12	2	Microcar
13	2	Minivan
14	2	Off-Road Vehicles
15	2	Pickup Trucks
4	2	Sedan
5	2	Station Wagon
6	2	SUV
7	2	Van
30	1	Auto Buying and Selling
31	1	Auto Insurance
32	1	Auto Parts
33	1	Auto Recalls
41	1	Auto Rentals
34	1	Auto Repair
35	1	Auto Safety
36	1	Auto Shows
37	1	Auto Technology
38	37	Auto Infotainment Technologies
39	37	Auto Navigation Systems
40	37	Auto Safety Technologies
16	1	Auto Type
17	16	Budget Cars
18	16	Certified Pre-Owned Cars
19	16	Classic Cars
20	16	Concept Cars
21	16	Driverless Cars
22	16	Green Vehicles
23	16	Luxury Cars
24	16	Performance Cars
25	1	Car Culture
26	1	Dash Cam Videos
27	1	Motorcycles
28	1	Road-Side Assistance
29	1	Scooters
42		Books and Literature
43	42	Art and Photography
46	42	Comics and Graphic Novels
48	42	Fiction
49	42	Poetry
52		Business and Finance
53	52	Business
54	53	Business Accounting & Finance
62	53	Business Administration
63	53	Business Banking & Finance
64	63	Angel Investment
65	63	Bankruptcy
66	63	Business Loans
67	63	Debt Factoring & Invoice Discounting
68	63	Mergers and Acquisitions
69	63	Private Equity
70	63	Sale & Lease Back
71	63	Venture Capital
72	53	Business I.T.
73	53	Business Operations
79	53	Business Utilities
74	53	Consumer Issues
75	74	Recalls
76	53	Executive Leadership & Management
77	53	Government Business
78	53	Green Solutions
55	53	Human Resources
56	53	Large Business
57	53	Logistics
58	53	Marketing and Advertising
59	53	Sales
60	53	Small and Medium-sized Business
61	53	Startups
80	52	Economy
81	80	Commodities
82	80	Currencies
83	80	Financial Crisis
84	80	Financial Reform
85	80	Financial Regulation
86	80	Gasoline Prices
87	80	Housing Market
88	80	Interest Rates
89	80	Job Market
90	52	Industries
91	90	Advertising Industry
102	90	Agriculture
113	90	Apparel Industry
117	90	Automotive Industry
118	90	Aviation Industry
119	90	Biotech and Biomedical Industry
120	90	Civil Engineering Industry
121	90	Construction Industry
122	90	Defense Industry
92	90	Education industry
93	90	Entertainment Industry
94	90	Environmental Services Industry
95	90	Financial Industry
96	90	Food Industry
97	90	Healthcare Industry
98	90	Hospitality Industry
99	90	Information Services Industry
100	90	Legal Services Industry
101	90	Logistics and Transportation Industry
103	90	Management Consulting Industry
104	90	Manufacturing Industry
105	90	Mechanical and Industrial Engineering Industry
106	90	Media Industry
107	90	Metals Industry
108	90	Non-Profit Organizations
109	90	Pharmaceutical Industry
110	90	Power and Energy Industry
111	90	Publishing Industry
112	90	Real Estate Industry
114	90	Retail Industry
115	90	Technology Industry
116	90	Telecommunications Industry
123		Careers
124	123	Apprenticeships
125	123	Career Advice
126	123	Career Planning
127	123	Job Search
128	127	Job Fairs
129	127	Resume Writing and Advice
130	123	Remote Working
131	123	Vocational Training
80DV8O		Communication
380		Crime
381		Disasters
132		Education
133	132	Adult Education
137	132	College Education
138	137	College Planning
139	137	Postgraduate Education
140	139	Professional School
141	137	Undergraduate Education
142	132	Early Childhood Education
143	132	Educational Assessment
144	143	Standardized Testing
145	132	Homeschooling
146	132	Homework and Study
147	132	Language Learning
148	132	Online Education
149	132	Primary Education
134	132	Private School
135	132	Secondary Education
136	132	Special Education
JLBCU7		Entertainment
324	JLBCU7	Movies
338	JLBCU7	Music
342	338	Adult Album Alternative
339	338	Adult Contemporary Music
340	339	Soft AC Music
341	339	Urban AC Music
343	338	Alternative Music
360	338	Blues
344	338	Children's Music
345	338	Classic Hits
346	338	Classical Music
347	338	College Radio
348	338	Comedy (Music and Audio)
349	338	Contemporary Hits/Pop/Top 40
350	338	Country Music
351	338	Dance and Electronic Music
354	338	Gospel Music
355	338	Hip Hop Music
356	338	Inspirational/New Age Music
357	338	Jazz
358	338	Oldies/Adult Standards
362	338	R&B/Soul/Funk
359	338	Reggae
361	338	Religious (Music and Audio)
363	338	Rock Music
364	363	Album-oriented Rock
365	363	Alternative Rock
366	363	Classic Rock
367	363	Hard Rock
368	363	Soft Rock
353	338	Songwriters/Folk
369	338	Soundtracks, TV and Showtunes
352	338	World/International Music
377	338	Urban Contemporary Music
378	338	Variety (Music and Audio)
640	JLBCU7	Television
8VZQHL		Events
162	8VZQHL	Awards Shows
180	8VZQHL	Business Expos & Conferences
185	8VZQHL	Fan Conventions
186		Family and Relationships
187	186	Bereavement
188	186	Dating
189	186	Divorce
190	186	Eldercare
191	186	Marriage and Civil Unions
192	186	Parenting
193	192	Adoption and Fostering
194	192	Daycare and Pre-School
195	192	Internet Safety
196	192	Parenting Babies and Toddlers
197	192	Parenting Children Aged 4-11
198	192	Parenting Teens
199	192	Special Needs Kids
200	186	Single Life
201		Fine Art
202	201	Costume
203	201	Dance
204	201	Design
205	201	Digital Arts
206	201	Fine Art Photography
207	201	Modern Art
208	201	Opera
209	201	Theater
210		Food & Drink
211	210	Alcoholic Beverages
215	210	Barbecues and Grilling
216	210	Cooking
217	210	Desserts and Baking
218	210	Dining Out
219	210	Food Allergies
220	210	Food Movements
221	210	Healthy Cooking and Eating
222	210	Non-Alcoholic Beverages
212	210	Vegan Diets
213	210	Vegetarian Diets
214	210	World Cuisines
SPSHQ5		Genres
VKIV56	SPSHQ5	Nature
325	SPSHQ5	Action/Adventure
641	SPSHQ5	Animation & Anime
44	SPSHQ5	Biographies
646	SPSHQ5	Comedy
332	SPSHQ5	Documentary
647	SPSHQ5	Drama
648	SPSHQ5	Factual
645	SPSHQ5	Family/Children
335	SPSHQ5	Fantasy
EZWB7V	SPSHQ5	History
649	SPSHQ5	Holiday
336	SPSHQ5	Horror
TIFQA5	SPSHQ5	Lifestyle
650	SPSHQ5	Music Video
156	SPSHQ5	Musical
331	SPSHQ5	Mystery
651	SPSHQ5	Reality TV
326	SPSHQ5	Romance
652	SPSHQ5	Science Fiction
642	SPSHQ5	Soap Opera
643	SPSHQ5	Special Interest (Indie/Art House)
370	SPSHQ5	Sports Radio
371	SPSHQ5	Talk Radio
376	371	Public Radio
A0AH3G	SPSHQ5	Talk Show
KHPC5A	SPSHQ5	True Crime
KHPC6A	SPSHQ5	Western
51	SPSHQ5	Young Adult
700	SPSHQ5	Thriller
223		Healthy Living
224	223	Children's Health
225	223	Fitness and Exercise
226	225	Participant Sports
227	225	Running and Jogging
228	223	Men's Health
229	223	Nutrition
230	223	Senior Health
231	223	Weight Loss
232	223	Wellness
233	232	Alternative Medicine
234	233	Herbs and Supplements
235	233	Holistic Health
236	232	Physical Therapy
237	232	Smoking Cessation
238	223	Women's Health
239		Hobbies & Interests
240	239	Antiquing and Antiques
248	239	Arts and Crafts
249	248	Beadwork
250	248	Candle and Soap Making
251	248	Drawing and Sketching
252	248	Jewelry Making
253	248	Needlework
254	248	Painting
255	248	Photography
256	248	Scrapbooking
257	248	Woodworking
258	239	Beekeeping
259	239	Birdwatching
260	239	Cigars
261	239	Collecting
262	261	Comic Books
263	261	Stamps and Coins
264	239	Content Production
265	264	Audio Production
266	264	Freelance Writing
267	264	Screenwriting
268	264	Video Production
269	239	Games and Puzzles
270	269	Board Games and Puzzles
271	269	Card Games
272	269	Roleplaying Games
273	239	Genealogy and Ancestry
241	239	Magic and Illusion
242	239	Model Toys
243	239	Musical Instruments
244	239	Paranormal Phenomena
245	239	Radio Control
246	239	Sci-fi and Fantasy
247	239	Workshops and Classes
1KXCLD		Holidays
157	1KXCLD	National & Civic Holidays
274		Home & Garden
275	274	Gardening
278	274	Home Appliances
279	274	Home Entertaining
280	274	Home Improvement
281	274	Home Security
282	274	Indoor Environmental Quality
283	274	Interior Decorating
284	274	Landscaping
285	274	Outdoor Decorating
276	274	Remodeling & Construction
277	274	Smart Home
383		Law
286		Medical Health
323	286	Cosmetic Medical Services
287	286	Diseases and Conditions
288	287	Allergies
306	287	Blood Disorders
312	287	Bone and Joint Conditions
313	287	Brain and Nervous System Disorders
314	287	Cancer
315	287	Cold and Flu
316	287	Dental Health
317	287	Diabetes
318	287	Digestive Disorders
289	287	Ear, Nose and Throat Conditions
290	287	Endocrine and Metabolic Diseases
291	290	Hormonal Disorders
292	290	Menopause
293	290	Thyroid Disorders
294	287	Eye and Vision Conditions
295	287	Foot Health
296	287	Heart and Cardiovascular Diseases
297	287	Infectious Diseases
298	287	Injuries
299	298	First Aid
300	287	Lung and Respiratory Health
301	287	Mental Health
302	287	Reproductive Health
303	302	Birth Control
304	302	Infertility
305	302	Pregnancy
307	287	Sexual Health
308	307	Sexual Conditions
309	287	Skin and Dermatology
310	287	Sleep Disorders
311	287	Substance Abuse
319	286	Medical Tests
320	286	Pharmaceutical Drugs
321	286	Surgery
322	286	Vaccines
163		Personal Celebrations & Life Events
164	163	Anniversary
166	163	Baby Shower
167	163	Bachelor Party
168	163	Bachelorette Party
169	163	Birth
170	163	Birthday
171	163	Funeral
172	163	Graduation
173	163	Prom
165	163	Wedding
391		Personal Finance
392	391	Consumer Banking
393	391	Financial Assistance
394	393	Government Support and Welfare
395	393	Student Financial Aid
396	391	Financial Planning
397	391	Frugal Living
417	391	Home Utilities
418	417	Gas and Electric
419	417	Internet Service Providers
420	417	Phone Services
421	417	Water Services
398	391	Insurance
399	398	Health Insurance
400	398	Home Insurance
401	398	Life Insurance
402	398	Motor Insurance
403	398	Pet Insurance
404	398	Travel Insurance
405	391	Personal Debt
406	405	Credit Cards
407	405	Home Financing
408	405	Personal Loans
409	405	Student Loans
410	391	Personal Investing
411	410	Hedge Funds
412	410	Mutual Funds
413	410	Options
414	410	Stocks and Bonds
415	391	Personal Taxes
416	391	Retirement Planning
422		Pets
423	422	Birds
424	422	Cats
425	422	Dogs
426	422	Fish and Aquariums
427	422	Large Animals
428	422	Pet Adoptions
431	422	Pet Supplies
429	422	Reptiles
430	422	Veterinary Medicine
386		Politics
8YPBBL	386	Civic affairs
387	386	Elections
388	386	Political Issues & Policy
432		Pop Culture
433	432	Celebrity Deaths
434	432	Celebrity Families
435	432	Celebrity Homes
436	432	Celebrity Pregnancy
437	432	Celebrity Relationships
438	432	Celebrity Scandal
439	432	Celebrity Style
440	432	Humor and Satire
441		Real Estate
442	441	Apartments
445	441	Developmental Sites
446	441	Hotel Properties
447	441	Houses
448	441	Industrial Property
449	441	Land and Farms
450	441	Office Property
451	441	Real Estate Buying and Selling
452	441	Real Estate Renting and Leasing
443	441	Retail Property
444	441	Vacation Properties
453		Religion & Spirituality
454	453	Agnosticism
456	453	Astrology
457	453	Atheism
458	453	Buddhism
459	453	Christianity
460	453	Hinduism
461	453	Islam
462	453	Judaism
463	453	Sikhism
455	453	Spirituality
464		Science
465	464	Biological Sciences
466	464	Chemistry
467	464	Environment
468	464	Genetics
469	464	Geography
470	464	Geology
471	464	Physics
472	464	Space and Astronomy
390	464	Weather
v9i3On		Sensitive Topics
Rm3SiT	v9i3On	Adult & Explicit Sexual Content
avbNf2	v9i3On	Arms & Ammunition
XtODT3	v9i3On	Crime & Harmful Acts to Individuals, Society & Human Right Violations
I4GWl6	v9i3On	Death, Injury, or Military Conflict
Z7rJBM	v9i3On	Debated Sensitive Social Issues
HxqYV1	v9i3On	Hate Speech and Acts of Aggression
pg0WhF	v9i3On	Illegal Drugs, Tobacco, eCigarettes, Vaping, Alcohol
j9PaO9	v9i3On	Obscenity and Profanity
mm3UXx	v9i3On	Online Piracy
6i4dB6	v9i3On	Spam or Harmful Content
8FD8nI	v9i3On	Terrorism
473		Shopping
482	473	Children's Games and Toys
474	473	Coupons and Discounts
475	473	Flower Shopping
476	473	Gifts and Greetings Cards
477	473	Grocery Shopping
478	473	Holiday Shopping
479	473	Household Supplies
480	473	Lotteries and Scratchcards
161	473	Party Supplies and Decorations
481	473	Sales and Promotions
483		Sports
484	483	American Football
507	483	Australian Rules Football
518	483	Auto Racing
519	518	Motorcycle Sports
534	483	Badminton
545	483	Baseball
547	483	Basketball
548	483	Beach Volleyball
549	483	Bodybuilding
550	483	Bowling
485	483	Boxing
486	483	Cheerleading
487	483	College Sports
490	487	College Baseball
489	487	College Basketball
488	487	College Football
491	483	Cricket
492	483	Cycling
493	483	Darts
494	483	Disabled Sports
495	483	Diving
496	483	Equine Sports
497	496	Horse Racing
498	483	Extreme Sports
499	498	Canoeing and Kayaking
500	498	Climbing
501	498	Paintball
502	498	Scuba Diving
503	498	Skateboarding
504	498	Snowboarding
505	498	Surfing and Bodyboarding
506	498	Waterskiing and Wakeboarding
508	483	Fantasy Sports
509	483	Field Hockey
510	483	Figure Skating
511	483	Fishing Sports
512	483	Golf
513	483	Gymnastics
514	483	Hunting and Shooting
515	483	Ice Hockey
516	483	Inline Skating
517	483	Lacrosse
520	483	Martial Arts
521	483	Olympic Sports
522	521	Summer Olympic Sports
523	521	Winter Olympic Sports
524	483	Poker and Professional Gambling
525	483	Rodeo
526	483	Rowing
527	483	Rugby
528	527	Rugby League
529	527	Rugby Union
530	483	Sailing
531	483	Skiing
532	483	Snooker/Pool/Billiards
533	483	Soccer
535	483	Softball
551	483	Sports Equipment
536	483	Squash
537	483	Swimming
538	483	Table Tennis
539	483	Tennis
540	483	Track and Field
541	483	Volleyball
542	483	Walking
543	483	Water Polo
544	483	Weightlifting
546	483	Wrestling
552		Style & Fashion
553	552	Beauty
554	553	Hair Care
555	553	Makeup and Accessories
556	553	Nail Care
557	553	Natural and Organic Beauty
558	553	Perfume and Fragrance
559	553	Skin Care
574	552	Body Art
575	552	Children's Clothing
576	552	Designer Clothing
577	552	Fashion Trends
578	552	High Fashion
579	552	Men's Fashion
580	579	Men's Accessories
581	580	Men's Jewelry and Watches
582	579	Men's Clothing
583	582	Men's Business Wear
584	582	Men's Casual Wear
585	582	Men's Formal Wear
586	582	Men's Outerwear
587	582	Men's Sportswear
588	582	Men's Underwear and Sleepwear
589	579	Men's Shoes and Footwear
590	552	Personal Care
591	590	Bath and Shower
592	590	Deodorant and Antiperspirant
593	590	Oral care
594	590	Shaving
595	552	Street Style
560	552	Women's Fashion
561	560	Women's Accessories
562	561	Women's Glasses
563	561	Women's Handbags and Wallets
564	561	Women's Hats and Scarves
565	561	Women's Jewelry and Watches
566	560	Women's Clothing
567	566	Women's Business Wear
568	566	Women's Casual Wear
569	566	Women's Formal Wear
570	566	Women's Intimates and Sleepwear
571	566	Women's Outerwear
572	566	Women's Sportswear
573	560	Women's Shoes and Footwear
596		Technology & Computing
597	596	Artificial Intelligence
598	596	Augmented Reality
599	596	Computing
600	599	Computer Networking
601	599	Computer Peripherals
602	599	Computer Software and Applications
603	602	3-D Graphics
608	602	Antivirus Software
609	602	Browsers
610	602	Computer Animation
611	602	Databases
612	602	Desktop Publishing
613	602	Digital Audio
614	602	Graphics Software
WQC6HR	602	Maps & Navigation
615	602	Operating Systems
604	602	Photo Editing Software
W3CW2J	602	Productivity
605	602	Shareware and Freeware
606	602	Video Software
607	602	Web Conferencing
616	599	Data Storage and Warehousing
617	599	Desktops
618	599	Information and Network Security
619	599	Internet
620	619	Cloud Computing
623	619	Email
624	619	Internet for Beginners
625	619	Internet of Things
626	619	IT and Internet Support
627	619	Search
628	619	Social Networking
629	619	Web Design and HTML
621	619	Web Development
622	619	Web Hosting
630	599	Laptops
631	599	Programming Languages
632	596	Consumer Electronics
633	632	Cameras and Camcorders
634	632	Home Entertainment Systems
635	632	Smartphones
636	632	Tablets and E-readers
637	632	Wearable Technology
638	596	Robotics
639	596	Virtual Reality
653		Travel
654	653	Travel Accessories
655	653	Travel Locations
656	655	Africa Travel
657	655	Asia Travel
658	655	Australia and Oceania Travel
659	655	Europe Travel
660	655	North America Travel
661	655	Polar Travel
662	655	South America Travel
663	653	Travel Preparation and Advice
664	653	Travel Type
665	664	Adventure Travel
672	664	Air Travel
673	664	Beach Travel
674	664	Bed & Breakfasts
675	664	Budget Travel
676	664	Business Travel
677	664	Camping
678	664	Cruises
679	664	Day Trips
666	664	Family Travel
667	664	Honeymoons and Getaways
668	664	Hotels and Motels
669	664	Rail Travel
670	664	Road Trips
671	664	Spas
680		Video Gaming
681	680	Console Games
682	680	eSports
683	680	Mobile Games
684	680	PC Games
685	680	Video Game Genres
686	685	Action Video Games
691	685	Action-Adventure Video Games
MQ2XML	685	Adult Video Games
692	685	Adventure Video Games
ZJG29S	685	Casino and Gambling Video Games
693	685	Casual Games
694	685	Educational Video Games
695	685	Exercise and Fitness Video Games
VWGKS7	685	Family Video Games
II436J	685	Horror Video Games
696	685	MMOs
697	685	Music and Party Video Games
698	685	Puzzle Video Games
VK7KD0	685	Racing Video Games
687	685	Role-Playing Video Games
688	685	Simulation Video Games
689	685	Sports Video Games
690	685	Strategy Video Games
389		War and Conflicts
`;

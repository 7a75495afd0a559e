/**
 * The IAB Content Taxonomy 1.0, whole.
 * Source: IAB Tech Lab, https://github.com/InteractiveAdvertisingBureau/Taxonomies,
 * "Content Taxonomies/Content Taxonomy 1.0.tsv", licensed under CC BY 3.0
 * (https://creativecommons.org/licenses/by/3.0/).
 * Changed: IAB2-15, IAB5-4 and IAB7-38 are spelled right, and IAB5-1 has its name back, which a spreadsheet had turned
 * into a date.
 *
 * One line an entry: id, tab, id of the parent (nothing at the top), tab, name.
 */
export const CONTENT_1 = `
IAB1		Arts & Entertainment
IAB1-1	IAB1	Books & Literature
IAB1-2	IAB1	Celebrity Fan/Gossip
IAB1-3	IAB1	Fine Art
IAB1-4	IAB1	Humor
IAB1-5	IAB1	Movies
IAB1-6	IAB1	Music
IAB1-7	IAB1	Television
IAB2		Automotive
IAB2-1	IAB2	Auto Parts
IAB2-2	IAB2	Auto Repair
IAB2-3	IAB2	Buying/Selling Cars
IAB2-4	IAB2	Car Culture
IAB2-5	IAB2	Certified Pre-Owned
IAB2-6	IAB2	Convertible
IAB2-7	IAB2	Coupe
IAB2-8	IAB2	Crossover
IAB2-9	IAB2	Diesel
IAB2-10	IAB2	Electric Vehicle
IAB2-11	IAB2	Hatchback
IAB2-12	IAB2	Hybrid
IAB2-13	IAB2	Luxury
IAB2-14	IAB2	MiniVan
IAB2-15	IAB2	Motorcycles
IAB2-16	IAB2	Off-Road Vehicles
IAB2-17	IAB2	Performance Vehicles
IAB2-18	IAB2	Pickup
IAB2-19	IAB2	Road-Side Assistance
IAB2-20	IAB2	Sedan
IAB2-21	IAB2	Trucks & Accessories
IAB2-22	IAB2	Vintage Cars
IAB2-23	IAB2	Wagon
IAB3		Business
IAB3-1	IAB3	Advertising
IAB3-2	IAB3	Agriculture
IAB3-3	IAB3	Biotech/Biomedical
IAB3-4	IAB3	Business Software
IAB3-5	IAB3	Construction
IAB3-6	IAB3	Forestry
IAB3-7	IAB3	Government
IAB3-8	IAB3	Green Solutions
IAB3-9	IAB3	Human Resources
IAB3-10	IAB3	Logistics
IAB3-11	IAB3	Marketing
IAB3-12	IAB3	Metals
IAB4		Careers
IAB4-1	IAB4	Career Planning
IAB4-2	IAB4	College
IAB4-3	IAB4	Financial Aid
IAB4-4	IAB4	Job Fairs
IAB4-5	IAB4	Job Search
IAB4-6	IAB4	Resume Writing/Advice
IAB4-7	IAB4	Nursing
IAB4-8	IAB4	Scholarships
IAB4-9	IAB4	Telecommuting
IAB4-10	IAB4	U.S. Military
IAB4-11	IAB4	Career Advice
IAB5		Education
IAB5-1	IAB5	7-12 Education
IAB5-2	IAB5	Adult Education
IAB5-3	IAB5	Art History
IAB5-4	IAB5	College Administration
IAB5-5	IAB5	College Life
IAB5-6	IAB5	Distance Learning
IAB5-7	IAB5	English as a 2nd Language
IAB5-8	IAB5	Language Learning
IAB5-9	IAB5	Graduate School
IAB5-10	IAB5	Homeschooling
IAB5-11	IAB5	Homework/Study Tips
IAB5-12	IAB5	K-6 Educators
IAB5-13	IAB5	Private School
IAB5-14	IAB5	Special Education
IAB5-15	IAB5	Studying Business
IAB6		Family & Parenting
IAB6-1	IAB6	Adoption
IAB6-2	IAB6	Babies & Toddlers
IAB6-3	IAB6	Daycare/Pre School
IAB6-4	IAB6	Family Internet
IAB6-5	IAB6	Parenting - K-6 Kids
IAB6-6	IAB6	Parenting teens
IAB6-7	IAB6	Pregnancy
IAB6-8	IAB6	Special Needs Kids
IAB6-9	IAB6	Eldercare
IAB7		Health & Fitness
IAB7-1	IAB7	Exercise
IAB7-2	IAB7	A.D.D.
IAB7-3	IAB7	AIDS/HIV
IAB7-4	IAB7	Allergies
IAB7-5	IAB7	Alternative Medicine
IAB7-6	IAB7	Arthritis
IAB7-7	IAB7	Asthma
IAB7-8	IAB7	Autism/PDD
IAB7-9	IAB7	Bipolar Disorder
IAB7-10	IAB7	Brain Tumor
IAB7-11	IAB7	Cancer
IAB7-12	IAB7	Cholesterol
IAB7-13	IAB7	Chronic Fatigue Syndrome
IAB7-14	IAB7	Chronic Pain
IAB7-15	IAB7	Cold & Flu
IAB7-16	IAB7	Deafness
IAB7-17	IAB7	Dental Care
IAB7-18	IAB7	Depression
IAB7-19	IAB7	Dermatology
IAB7-20	IAB7	Diabetes
IAB7-21	IAB7	Epilepsy
IAB7-22	IAB7	GERD/Acid Reflux
IAB7-23	IAB7	Headaches/Migraines
IAB7-24	IAB7	Heart Disease
IAB7-25	IAB7	Herbs for Health
IAB7-26	IAB7	Holistic Healing
IAB7-27	IAB7	IBS/Crohn's Disease
IAB7-28	IAB7	Incest/Abuse Support
IAB7-29	IAB7	Incontinence
IAB7-30	IAB7	Infertility
IAB7-31	IAB7	Men's Health
IAB7-32	IAB7	Nutrition
IAB7-33	IAB7	Orthopedics
IAB7-34	IAB7	Panic/Anxiety Disorders
IAB7-35	IAB7	Pediatrics
IAB7-36	IAB7	Physical Therapy
IAB7-37	IAB7	Psychology/Psychiatry
IAB7-38	IAB7	Senior Health
IAB7-39	IAB7	Sexuality
IAB7-40	IAB7	Sleep Disorders
IAB7-41	IAB7	Smoking Cessation
IAB7-42	IAB7	Substance Abuse
IAB7-43	IAB7	Thyroid Disease
IAB7-44	IAB7	Weight Loss
IAB7-45	IAB7	Women's Health
IAB8		Food & Drink
IAB8-1	IAB8	American Cuisine
IAB8-2	IAB8	Barbecues & Grilling
IAB8-3	IAB8	Cajun/Creole
IAB8-4	IAB8	Chinese Cuisine
IAB8-5	IAB8	Cocktails/Beer
IAB8-6	IAB8	Coffee/Tea
IAB8-7	IAB8	Cuisine-Specific
IAB8-8	IAB8	Desserts & Baking
IAB8-9	IAB8	Dining Out
IAB8-10	IAB8	Food Allergies
IAB8-11	IAB8	French Cuisine
IAB8-12	IAB8	Health/Lowfat Cooking
IAB8-13	IAB8	Italian Cuisine
IAB8-14	IAB8	Japanese Cuisine
IAB8-15	IAB8	Mexican Cuisine
IAB8-16	IAB8	Vegan
IAB8-17	IAB8	Vegetarian
IAB8-18	IAB8	Wine
IAB9		Hobbies & Interests
IAB9-1	IAB9	Art/Technology
IAB9-2	IAB9	Arts & Crafts
IAB9-3	IAB9	Beadwork
IAB9-4	IAB9	Birdwatching
IAB9-5	IAB9	Board Games/Puzzles
IAB9-6	IAB9	Candle & Soap Making
IAB9-7	IAB9	Card Games
IAB9-8	IAB9	Chess
IAB9-9	IAB9	Cigars
IAB9-10	IAB9	Collecting
IAB9-11	IAB9	Comic Books
IAB9-12	IAB9	Drawing/Sketching
IAB9-13	IAB9	Freelance Writing
IAB9-14	IAB9	Genealogy
IAB9-15	IAB9	Getting Published
IAB9-16	IAB9	Guitar
IAB9-17	IAB9	Home Recording
IAB9-18	IAB9	Investors & Patents
IAB9-19	IAB9	Jewelry Making
IAB9-20	IAB9	Magic & Illusion
IAB9-21	IAB9	Needlework
IAB9-22	IAB9	Painting
IAB9-23	IAB9	Photography
IAB9-24	IAB9	Radio
IAB9-25	IAB9	Roleplaying Games
IAB9-26	IAB9	Sci-Fi & Fantasy
IAB9-27	IAB9	Scrapbooking
IAB9-28	IAB9	Screenwriting
IAB9-29	IAB9	Stamps & Coins
IAB9-30	IAB9	Video & Computer Games
IAB9-31	IAB9	Woodworking
IAB10		Home & Garden
IAB10-1	IAB10	Appliances
IAB10-2	IAB10	Entertaining
IAB10-3	IAB10	Environmental Safety
IAB10-4	IAB10	Gardening
IAB10-5	IAB10	Home Repair
IAB10-6	IAB10	Home Theater
IAB10-7	IAB10	Interior Decorating
IAB10-8	IAB10	Landscaping
IAB10-9	IAB10	Remodeling & Construction
IAB11		Law, Gov't & Politics
IAB11-1	IAB11	Immigration
IAB11-2	IAB11	Legal Issues
IAB11-3	IAB11	U.S. Government Resources
IAB11-4	IAB11	Politics
IAB11-5	IAB11	Commentary
IAB12		News
IAB12-1	IAB12	International News
IAB12-2	IAB12	National News
IAB12-3	IAB12	Local News
IAB13		Personal Finance
IAB13-1	IAB13	Beginning Investing
IAB13-2	IAB13	Credit/Debt & Loans
IAB13-3	IAB13	Financial News
IAB13-4	IAB13	Financial Planning
IAB13-5	IAB13	Hedge Fund
IAB13-6	IAB13	Insurance
IAB13-7	IAB13	Investing
IAB13-8	IAB13	Mutual Funds
IAB13-9	IAB13	Options
IAB13-10	IAB13	Retirement Planning
IAB13-11	IAB13	Stocks
IAB13-12	IAB13	Tax Planning
IAB14		Society
IAB14-1	IAB14	Dating
IAB14-2	IAB14	Divorce Support
IAB14-3	IAB14	Gay Life
IAB14-4	IAB14	Marriage
IAB14-5	IAB14	Senior Living
IAB14-6	IAB14	Teens
IAB14-7	IAB14	Weddings
IAB14-8	IAB14	Ethnic Specific
IAB15		Science
IAB15-1	IAB15	Astrology
IAB15-2	IAB15	Biology
IAB15-3	IAB15	Chemistry
IAB15-4	IAB15	Geology
IAB15-5	IAB15	Paranormal Phenomena
IAB15-6	IAB15	Physics
IAB15-7	IAB15	Space/Astronomy
IAB15-8	IAB15	Geography
IAB15-9	IAB15	Botany
IAB15-10	IAB15	Weather
IAB16		Pets
IAB16-1	IAB16	Aquariums
IAB16-2	IAB16	Birds
IAB16-3	IAB16	Cats
IAB16-4	IAB16	Dogs
IAB16-5	IAB16	Large Animals
IAB16-6	IAB16	Reptiles
IAB16-7	IAB16	Veterinary Medicine
IAB17		Sports
IAB17-1	IAB17	Auto Racing
IAB17-2	IAB17	Baseball
IAB17-3	IAB17	Bicycling
IAB17-4	IAB17	Bodybuilding
IAB17-5	IAB17	Boxing
IAB17-6	IAB17	Canoeing/Kayaking
IAB17-7	IAB17	Cheerleading
IAB17-8	IAB17	Climbing
IAB17-9	IAB17	Cricket
IAB17-10	IAB17	Figure Skating
IAB17-11	IAB17	Fly Fishing
IAB17-12	IAB17	Football
IAB17-13	IAB17	Freshwater Fishing
IAB17-14	IAB17	Game & Fish
IAB17-15	IAB17	Golf
IAB17-16	IAB17	Horse Racing
IAB17-17	IAB17	Horses
IAB17-18	IAB17	Hunting/Shooting
IAB17-19	IAB17	Inline Skating
IAB17-20	IAB17	Martial Arts
IAB17-21	IAB17	Mountain Biking
IAB17-22	IAB17	NASCAR Racing
IAB17-23	IAB17	Olympics
IAB17-24	IAB17	Paintball
IAB17-25	IAB17	Power & Motorcycles
IAB17-26	IAB17	Pro Basketball
IAB17-27	IAB17	Pro Ice Hockey
IAB17-28	IAB17	Rodeo
IAB17-29	IAB17	Rugby
IAB17-30	IAB17	Running/Jogging
IAB17-31	IAB17	Sailing
IAB17-32	IAB17	Saltwater Fishing
IAB17-33	IAB17	Scuba Diving
IAB17-34	IAB17	Skateboarding
IAB17-35	IAB17	Skiing
IAB17-36	IAB17	Snowboarding
IAB17-37	IAB17	Surfing/Bodyboarding
IAB17-38	IAB17	Swimming
IAB17-39	IAB17	Table Tennis/Ping-Pong
IAB17-40	IAB17	Tennis
IAB17-41	IAB17	Volleyball
IAB17-42	IAB17	Walking
IAB17-43	IAB17	Waterski/Wakeboard
IAB17-44	IAB17	World Soccer
IAB18		Style & Fashion
IAB18-1	IAB18	Beauty
IAB18-2	IAB18	Body Art
IAB18-3	IAB18	Fashion
IAB18-4	IAB18	Jewelry
IAB18-5	IAB18	Clothing
IAB18-6	IAB18	Accessories
IAB19		Technology & Computing
IAB19-1	IAB19	3-D Graphics
IAB19-2	IAB19	Animation
IAB19-3	IAB19	Antivirus Software
IAB19-4	IAB19	C/C++
IAB19-5	IAB19	Cameras & Camcorders
IAB19-6	IAB19	Cell Phones
IAB19-7	IAB19	Computer Certification
IAB19-8	IAB19	Computer Networking
IAB19-9	IAB19	Computer Peripherals
IAB19-10	IAB19	Computer Reviews
IAB19-11	IAB19	Data Centers
IAB19-12	IAB19	Databases
IAB19-13	IAB19	Desktop Publishing
IAB19-14	IAB19	Desktop Video
IAB19-15	IAB19	Email
IAB19-16	IAB19	Graphics Software
IAB19-17	IAB19	Home Video/DVD
IAB19-18	IAB19	Internet Technology
IAB19-19	IAB19	Java
IAB19-20	IAB19	JavaScript
IAB19-21	IAB19	Mac Support
IAB19-22	IAB19	MP3/MIDI
IAB19-23	IAB19	Net Conferencing
IAB19-24	IAB19	Net for Beginners
IAB19-25	IAB19	Network Security
IAB19-26	IAB19	Palmtops/PDAs
IAB19-27	IAB19	PC Support
IAB19-28	IAB19	Portable
IAB19-29	IAB19	Entertainment
IAB19-30	IAB19	Shareware/Freeware
IAB19-31	IAB19	Unix
IAB19-32	IAB19	Visual Basic
IAB19-33	IAB19	Web Clip Art
IAB19-34	IAB19	Web Design/HTML
IAB19-35	IAB19	Web Search
IAB19-36	IAB19	Windows
IAB20		Travel
IAB20-1	IAB20	Adventure Travel
IAB20-2	IAB20	Africa
IAB20-3	IAB20	Air Travel
IAB20-4	IAB20	Australia & New Zealand
IAB20-5	IAB20	Bed & Breakfasts
IAB20-6	IAB20	Budget Travel
IAB20-7	IAB20	Business Travel
IAB20-8	IAB20	By US Locale
IAB20-9	IAB20	Camping
IAB20-10	IAB20	Canada
IAB20-11	IAB20	Caribbean
IAB20-12	IAB20	Cruises
IAB20-13	IAB20	Eastern Europe
IAB20-14	IAB20	Europe
IAB20-15	IAB20	France
IAB20-16	IAB20	Greece
IAB20-17	IAB20	Honeymoons/Getaways
IAB20-18	IAB20	Hotels
IAB20-19	IAB20	Italy
IAB20-20	IAB20	Japan
IAB20-21	IAB20	Mexico & Central America
IAB20-22	IAB20	National Parks
IAB20-23	IAB20	South America
IAB20-24	IAB20	Spas
IAB20-25	IAB20	Theme Parks
IAB20-26	IAB20	Traveling with Kids
IAB20-27	IAB20	United Kingdom
IAB21		Real Estate
IAB21-1	IAB21	Apartments
IAB21-2	IAB21	Architects
IAB21-3	IAB21	Buying/Selling Homes
IAB22		Shopping
IAB22-1	IAB22	Contests & Freebies
IAB22-2	IAB22	Couponing
IAB22-3	IAB22	Comparison
IAB22-4	IAB22	Engines
IAB23		Religion & Spirituality
IAB23-1	IAB23	Alternative Religions
IAB23-2	IAB23	Atheism/Agnosticism
IAB23-3	IAB23	Buddhism
IAB23-4	IAB23	Catholicism
IAB23-5	IAB23	Christianity
IAB23-6	IAB23	Hinduism
IAB23-7	IAB23	Islam
IAB23-8	IAB23	Judaism
IAB23-9	IAB23	Latter-Day Saints
IAB23-10	IAB23	Pagan/Wiccan
IAB24		Uncategorized
IAB25		Non-Standard Content
IAB25-1	IAB25	Unmoderated UGC
IAB25-2	IAB25	Extreme Graphic/Explicit Violence
IAB25-3	IAB25	Pornography
IAB25-4	IAB25	Profane Content
IAB25-5	IAB25	Hate Content
IAB25-6	IAB25	Under Construction
IAB25-7	IAB25	Incentivized
IAB26		Illegal Content
IAB26-1	IAB26	Illegal Content
IAB26-2	IAB26	Warez
IAB26-3	IAB26	Spyware/Malware
IAB26-4	IAB26	Copyright Infringement
`;

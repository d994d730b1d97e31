/** Word lists for the demo world's names. The patterns in `names.ts` combine them. */

/** The first names of the demo world's list. */
export const curatedNames: string[] = words(`
  Lakambini KuyaKidlat habagat07 TonyoBlitz Marikit ManongNinja Liwayway Taho4am Dagitab BossGulaman xTsinelasx
  Hiraya AlingNena KapeBarako Sampalok_St TitaBubbles Alitaptap Bayanihan LoloSniper Tala_Gabi isawmaster
  HulingHirit PasilipSensei Silakbo Patintero NanayShaman Kalachuchi BaonNaKanin Tadhana Balintataw SukiPoDito
  UlanSaHulyo Dapithapon tres_marias MangBola PaParaPo Salamangka siomai_rice Himagsik Luntian`)

/** Filipino nouns and adjectives that are names by themselves. */
export const singles: string[] = words(`
  Habagat Amihan Kidlat Kulog Bagyo Ulap Ulan Bituin Tala Buwan Araw Bahaghari Takipsilim Hamog Alon Daluyong Dagat
  Ilog Lawa Talon Bundok Lambak Gubat Parang Buhangin Apoy Baga Alab Liyab Siga Usok Abo Hangin Ihip Agila Lawin
  Maya Kuwago Tamaraw Kalabaw Tarsier Alimango Pusit Pating Buwaya Butiki Tutubi Paruparo Gamugamo Sampaguita
  Gumamela Ilang Rosal Kamia Dahlia Bougainvilla Narra Molave Kamagong Yakal Akasya Balete Mangga Kawayan Niyog
  Anahaw Pandan Makopa Duhat Santol Lansones Rambutan Guyabano Atis Chico Bayabas Kamias Sinigang Kaldereta Menudo
  Adobo Tinola Nilaga Bulalo Pares Lugaw Goto Mami Siopao Siomai Pandesal Ensaymada Hopia Bibingka Kutsinta Palitaw
  Suman Biko Turon Banana_Cue Halohalo Sorbetes Taho Gulaman Sago Buko Salabat Barako Tablea Bagoong Patis Calamansi
  Tapsilog Tocilog Longsilog Bangsilog Tuyo Daing Tinapa Chicharon Balut Penoy Kwek_Kwek Isaw Fishball Kikiam Lechon
  Sisig Dinakdakan Laing Pinakbet Chopsuey Lumpia Jeepney Padyak Kariton Banca Balsa Bakya Tsinelas Bayong Banig
  Walis Kulambo Parol Trumpo Saranggola Sungka Piko Tumbang_Preso Luksong_Baka Sipa Arnis Balisong Itak Bolo
  Kampilan Sibat Pana Kalasag Baluti Gong Kulintang Kudyapi Bandurria Tambol Rondalla Kundiman Harana Balagtasan
  Alamat Diwa Himala Pangako Pangarap Lakas Liksi Tapang Tiyaga Sikap Bayani Mandirigma Manunudla Mamamana Babaylan
  Albularyo Manghihilot Datu Lakan Rajah Dayang Maharlika Timawa Bathala Tikbalang Kapre Duwende Diwata Engkanto
  Sirena Nuno Sarimanok Bakunawa Minokawa Sigbin Kulitero Makulit Masipag Tahimik Malupit Matikas Marilag Mayumi
  Dalisay Ligaya Luwalhati Kalayaan Kapayapaan Tahanan Kanlungan Bukang_Liwayway Hatinggabi Madaling_Araw Tanghali
  Sinag Silahis Liwanag Anino Dilim Lihim Hiwaga Agimat AntingAnting Orasyon Talinghaga Salawikain Bugtong Tugma
  Tula Awit Himig Indak Tinikling Singkil Pandanggo Karitela Kalesa Dyip Trisikel Habalhabal Barangay Looban
  Eskinita Palengke Talipapa Tindahan Karinderya Panaderya Plaza Kanto Bubong Yero Poso Kalan Palayok Kawali Sandok
  Kutsara Tabo Timba Batya`)

/** Nicknames heard in any street, of men and boys. */
export const nicknamesHe: string[] = words(`
  Jepoy Totoy Nonoy Dodong Jun Jhun Jhay Jek Jeric Jomar Jonel Jopet Junjun Kokoy Kulot Kiko Kaloy Lando Lito Lolong
  Makoy Marlon Migs Miggy Mikoy Nardo Nato Nestor Nico Nilo Noel Obet Omeng Oca Paeng Paco Paquito Pedring Pepito
  Pilo Poldo Popoy Quino Rico Rodel Roldan Romy Ronnie Ruben Rudy Sander Temyong Tino Tonton Tonyo Turo Vener Zaldy
  Abet Ador Ambo Andoy Anding Anton Badong Balong Berto Beto Biboy Boknoy Buboy Buknoy Caloy Carding Choy Cholo
  Crising Dado Danilo Dante Dario Delfin Dencio Dindo Domeng Ebong Edong Elmer Entoy Eping Erning Estong Gardo Gener
  Genio Goryo Iking Ilyong Inggo Intoy Itoy Joms Jaypee Teban Isyong Karyo Tisoy Emong Pidyong Simon Gusting Minggoy
  Utoy Poloy Toto Nonong Dudoy Bornok Lakay Otep Yoyo`)

/** Nicknames of women and girls. */
export const nicknamesShe: string[] = words(`
  Inday Nene Ningning Monet Pacing Sabel Selya Wilma Yeye Zeny Agot Aida Bebang Betchay Celing Charing Clara
  Conching Ditas Doray Elena Etang Fely Gina Hermie Isyang Iyay Jaja Joana Delia Arlene Ising Choleng Pining Luring
  Nita Tinay Maring Neneng Biday Puring Ludy Luming Auring Bining Chayong Diding Idang Julie Kikay Letty Mila Nelia
  Osang Pilar Rosing Sepa Tasing Upeng Vangie Weng Yoly Anya Belay Cora Dette Ebeng Glenda Hilda Ikay Kring Lengleng
  Nikay Trina Xandra`)

/** Forms of address that go before a nickname. */
export const titlesHe: string[] = words('Kuya Tito Mang Manong Lolo Boss Ka Ninong')
export const titlesShe: string[] = words('Ate Tita Aling Manang Lola Boss Ka Ninang Nanay Madam')

/** Things and relatives of a person: BaonNiJepoy, PinsanNiInday. */
export const belongings: string[] = words(`
  Baon Lakas Tsinelas Kape Tapang Pinsan Apo Kapatid Kapitbahay Alaga Tropa Bike Ulam Payong`)

/** The two parts of 'X of Y': BantayNgGabi, HariNgKanto. */
export const heads: string[] = words('Hari Reyna Bantay Bituin Anak Tinig Bayani Alamat Prinsipe')
export const grounds: string[] = words(`
  Kanto Gabi Ulan Dagat Bundok Palengke Kusina Looban Eskinita Rooftop Plaza Tindahan Norte Timog Silangan Ilog
  Kalye Tulay`)

/** Ways to say where a person grew up: BatangPasig, LakingTondo, TagaBicol. */
export const origins: string[] = words('Batang Laking Taga Tropang')

/** Short tags for towns and provinces. */
export const places: string[] = words(`
  QC Mnl Cebu Davao Iloilo Baguio Bicol Cavite Laguna Bulacan Pampanga Tarlac Batangas Quezon Leyte Samar Bohol
  Palawan Zambo CDO GenSan Butuan Antique Aklan Capiz Ilocos Vigan Isabela Pasig Taguig Makati Tondo Marikina
  Malabon Navotas Sampaloc Cubao Caloocan Antipolo Taytay Dasma Imus Naga Legazpi Surigao Siargao Siquijor Tagum`)

/** Trees and flowers that streets are named after. */
export const streets: string[] = words(`
  Sampaguita Narra Molave Acacia Mahogany Ipil Yakal Dahlia Rosal Camia Ilang Kamagong Kalachuchi Santan
  Bougainvilla Gumamela Adelfa Champaca Jasmin Everlasting Balete Talisay Banaba Apitong Tindalo Lauan Guijo Dapdap
  Macopa Duhat Chico Atis Mangga Kaimito Santol Bayabas Langka`)

/** Food and drink that people want late at night. */
export const lateFood: string[] = words(`
  mami lugaw goto pares taho kape sisig siomai siopao tapsilog balut isaw turon pandesal tocilog longsilog bulalo
  champorado sopas noodles tokneneng barako gulaman halohalo lomi batchoy palabok pancit`)
/** The hours of the day, and 247. */
export const lateHours: string[] = words('12am 1am 2am 3am 4am 5am 10pm 11pm 247')

/** Numbers that people put after a name. */
export const numbers: string[] = words(`
  01 02 03 04 05 06 07 08 09 10 11 12 13 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 33 77 92 93 94 95 96 97 98
  99`)

/** Adjectives that go after Si or Ang. */
export const traits: string[] = words(`
  Tahimik Makulit Masipag Antukin Gutom Matapang Mabait Malupit Mabagal Mabilis Palangiti Mahiyain Pasaway Masungit
  Astig Kulot Matangkad Maliit Malakas Pogi Ganda Seryoso Puyat Suplada Suplado Mapagbigay Galante Mapanuri Matipid
  Iyakin Madiskarte Maalaga Masinop Matulungin Makata Maliksi Magiting`)

/** Places on campus and roles of people there. Every place goes with every role. */
export const campus: string[] = words(`
  Midnight Rooftop Hallway Backrow Canteen Library LastTrip Brownout NightShift Gate Peak Phoenix SkyBridge`)
export const campusKinds: string[] = words(`
  Archer Gunner Brawler Shaman Shaper Mage Kid Ghost Runner King Queen Captain Hero Sniper Healer Cat Owl`)

/** Online handles that people keep for years. */
export const handles: string[] = words(`
  kape_muna tulog_na_ako isang_round_pa uwi_na_tayo bukas_na_lang wala_pang_tulog late_na_naman baon_ko_to
  barya_lang_po para_sa_tabi abang_sa_kanto sulit_promo libre_mo_ako utang_muna extra_rice unli_rice sukli_ko_po
  puyat_gang tropang_gising tropang_kanto tambay_crew gising_pa_ako pahinga_muna kanin_pa_po sabaw_kahit_ulan
  walang_pasok may_pasok_bukas half_day_lang recess_time flag_ceremony lost_my_id wala_sa_mood tita_on_duty
  lola_on_duty pagong_mode turtle_speed lowbat_na_ako signal_pls lag_ako_promise one_more_game abot_kaya
  sari_sari_kid tingi_tingi pasabuy_po balik_bayan umaga_na_pala kanto_boyz sepak_master sabit_sa_jeep barker_of_qc
  dispatcher26 konduktor_07 bente_pesos trese_pataas dos_por_dos`)

/** Last names of players, for `personNames`. An underscore is a space. */
export const firstNames: string[] = words(`
  Arlene Benilda Bernadette Camille Carmela Cecilia Charmaine Clarissa Corazon Cristina Daisy Divina Dolores Elena
  Elsa Emilia Erlinda Estela Felicidad Flordeliza Genevieve Gloria Grace Hazel Irene Isabel Jasmine Jocelyn Josefina
  Joy Julieta Karen Katrina Kristel Leonora Ligaya Lourdes Lucila Luisa Luningning Marites Maribel Marisol Melissa
  Mercedes Milagros Nenita Norma Ofelia Pamela Paulina Perla Pilar Princess Remedios Rizalina Rochelle Rosalinda
  Rosario Rowena Sheila Socorro Soledad Teresita Veronica Virginia Yolanda Adrian Albert Aldrin Alfredo Allan Alvin
  Angelo Antonio Arnel Arturo Benjie Bernard Carlo Clarence Crisanto Danilo Dennis Domingo Edgardo Edwin Eduardo
  Elmer Emmanuel Enrique Ernesto Felipe Fernando Ferdie Francis Gabriel Gerardo Gilbert Gregorio Harold Hernando
  Isagani Ismael Jaime Jerome Jonathan Jordan Joselito Julius Kenneth Lawrence Leandro Leonardo Lorenzo Marvin Mateo
  Melchor Michael Nathaniel Nelson Noel Oliver Orlando Oscar Raffy Ramil Raymund Reynaldo Roberto Rogelio Romeo
  Ronald Salvador Samuel Santiago Tomas Vicente Wilfredo`)

export const lastNames: string[] = words(`
  Abad Abella Agbayani Aguilar Alcantara Alvarez Amparo Andrada Aranda Austria Bacani Baltazar Banaag Banzon Barrera
  Bautista Beltran Benitez Bernabe Borja Buenaventura Cabrera Calderon Camacho Capistrano Carandang Casimiro
  Castillo Catacutan Celestino Concepcion Cordero Corpuz Cortez Custodio Dacanay Dagohoy Dalisay Dancel Dela_Cruz
  Dela_Paz Delos_Santos Dimaculangan Dimayuga Dizon Domingo Dumlao Enriquez Escobar Espinosa Esteban Evangelista
  Fajardo Feliciano Flores Francisco Gaerlan Galang Gallardo Garcia Gatchalian Gatdula Gatmaitan Gonzaga Guevarra
  Guinto Gutierrez Hernandez Herrera Hilario Ignacio Ilagan Isidro Jacinto Javier Lagman Lantin Lapuz Liwanag Llanes
  Lontoc Lorenzo Lucero Lumibao Macaraeg Magbanua Magno Magpantay Malabanan Maliwat Manalastas Mangubat Mariano
  Marquez Matias Mendoza Mercado Miranda Montemayor Morales Navarro Nicolas Ocampo Olivares Ordonez Ortega Pagaduan
  Palad Paraiso Pascua Peralta Perez Pineda Policarpio Punzalan Quiambao Quinto Quizon Ramirez Ramos Rellosa Reyes
  Rivera Robles Rosales Sabado Salcedo Samson Sandoval Santiago Santos Sarmiento Serrano Sevilla Sison Soriano
  Suarez Sumulong Tabuena Tadeo Tandoc Tayag Tecson Tiongson Torres Trinidad Tuazon Umali Valdez Valencia Velasco
  Vergara Villanueva Villegas Viray Yabut Ylagan Yumul Zamora Zaragoza`)

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

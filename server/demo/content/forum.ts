/** What the players of the demo world say in the forum. All of it is invented. */

export type DemoTopic = {
  category: number
  title: string
  /** How long ago it was opened. */
  hoursAgo: number
  views: number
  /**
   * The opening post, then the replies. A writer is a member of the cast by number, or `juan`, `maria` or `gm`; in a text,
   * `{3}` is the name of that member's main character.
   */
  posts: readonly [by: number | 'juan' | 'maria' | 'gm', text: string][]
  pinned?: true
  locked?: true
  poll?: { question: string; options: readonly [words: string, votes: number][]; days: number }
  /** The number of the gallery's picture that the opening post shows. */
  picture?: number
}

const DAY = 24

export const forumTopics: readonly DemoTopic[] = [
  {
    category: 100,
    title: 'Read me first: how we talk here',
    hoursAgo: 210 * DAY,
    views: 1840,
    pinned: true,
    locked: true,
    posts: [
      [
        'gm',
        'Welcome to the forum, mga ka-tambay.\n\n- **Be kind.** Trash talk stays in the club war, and there with a smile.\n- No selling of accounts, gold or items for real money.\n- No names, numbers or pictures of people outside the game.\n- English and Tagalog are fine on every board; any other language has the board *Non-English*.\n\nIf a post breaks this, press **Report**. We read every report, usually the same evening.',
      ],
    ],
  },
  {
    category: 100,
    title: 'Saan kayo naglalaro: bahay, comshop o phone hotspot?',
    hoursAgo: 7,
    views: 214,
    posts: [
      [
        0,
        'Curious lang. Ako hotspot ng phone ni ate, ₱50 for the whole weekend, basta hindi siya nag-stream ng drama.',
      ],
      [
        5,
        'Comshop pa rin! Sa tapat ng school namin may apat na units na laging may nakalog-in. Parang second home na.',
      ],
      [2, 'Bahay, pero 11 PM onwards lang kasi shared ang net naming pito.'],
      [8, '> Comshop pa rin! Sa tapat ng school namin\n\nBaka same tayo ng shop haha. Yung may pusa sa counter?'],
      [5, '{8} YUNG MAY PUSA. Small world. Hi kay Mingming.'],
      [11, 'Fiber sa bahay pero mas masaya sa comshop. Iba pag sabay-sabay kayong sumisigaw.'],
      ['juan', 'Bahay, with an electric fan pointed at the CPU. The fan gets first place in my clan.'],
    ],
  },
  {
    category: 100,
    title: 'How do I move my account to the new email?',
    hoursAgo: 2 * DAY + 4,
    views: 96,
    posts: [
      [14, 'My old email is from a school I graduated from and they will close it next month. Where do I change it?'],
      [
        3,
        'My Account → Account Information. You need your present password, and then you open the link in the new inbox.',
      ],
      [14, 'Found it, and the mail came in under a minute. Salamat {3}!'],
      [
        'gm',
        'Good that you asked before the old address was gone. The old one also gets a mail, in case somebody else tried this.',
      ],
    ],
  },
  {
    category: 100,
    title: 'Which banner song do you hear in your head?',
    hoursAgo: 3 * DAY,
    views: 167,
    posts: [
      [9, 'Every time the Covered Court banner comes up I hear a marching band. Every. Time.'],
      [1, 'For me it is the jeepney one. I hear the coins.'],
      [17, 'Lantern festival = Ber months na agad. It is never too early.'],
      [9, 'September 1 is law.'],
    ],
  },
  {
    category: 100,
    title: 'Poll: what time should Friday’s club war start?',
    hoursAgo: 26,
    views: 388,
    poll: {
      question: 'What time suits you on Friday?',
      options: [
        ['8:00 PM', 21],
        ['9:00 PM', 34],
        ['10:00 PM', 12],
        ['I only watch', 5],
      ],
      days: 5,
    },
    posts: [
      ['gm', 'We can move the Friday war by an hour. Traffic on EDSA has voted already, now it is your turn.'],
      [4, '9 PM please. At 8 I am still on the bus holding a rice cooker.'],
      [6, 'Why the rice cooker'],
      [4, 'It is a long story and it has a happy end.'],
      [12, '10 para sa mga closing shift 🙏'],
      ['maria', '9 works for everyone who has kids to put to bed. I am everyone.'],
      [7, 'Whatever you choose, start on time. Last week we waited for one person and he was in the bathroom.'],
      [19, 'I said sorry already'],
    ],
  },
  {
    category: 100,
    title: 'Lost and found: one left slipper, Rooftop 3',
    hoursAgo: 5 * DAY,
    views: 131,
    posts: [
      [
        17,
        'Costume slipper, red, size unknown. It fell off when I jumped from the tank and now my character limps in my heart.',
      ],
      [10, 'Found it. It is on channel 2, being guarded by a rat.'],
      [17, 'Is the rat strong'],
      [10, 'The rat is level 40.'],
      [17, 'Keep the slipper.'],
    ],
  },
  {
    category: 100,
    title: 'Thank you to whoever carried me last night',
    hoursAgo: 9 * DAY,
    views: 203,
    posts: [
      [
        20,
        'First time in the boss room, I had no idea, and somebody from Mystic Peak healed me for forty minutes and never said a word. You logged out before I could ask your name. Salamat, kung sino ka man.',
      ],
      [13, 'That sounds like {16}. She does that.'],
      [16, 'I was eating dinner with one hand. That is why I did not type.'],
      [20, 'THANK YOU'],
    ],
  },
  {
    category: 200,
    title: 'Brawler from 1 to 60: what I would do again, and what not',
    hoursAgo: 19 * DAY,
    views: 962,
    pinned: true,
    posts: [
      [
        3,
        'I have levelled three brawlers now. What I learned:\n\n1. **Power first until 30.** You will die less because they die sooner.\n2. Between 30 and 45 put everything into Vitality. The rooftop gangs hit twice.\n3. Potions: carry 40 small ones, not 10 big ones. You never need all of a big one.\n4. Do the daily of the canteen lady. It looks silly. It is a third of my gold.\n\n| Level | Where | With whom |\n| --- | --- | --- |\n| 1–20 | Front gate | alone |\n| 20–40 | Covered Court | two or three |\n| 40–60 | Rooftop 3 | a shaman, always |',
      ],
      [11, 'Number 3 changed my life. I had been carrying ten big ones like a rich man.'],
      [0, 'What about the boots from the coop? Are they worth the Milleage?'],
      [3, '> Are they worth the Milleage?\n\nFrom 35 on, yes. Before that buy potions and be brave.'],
      ['juan', 'I did the opposite: Vitality first. It works, it is only slower, and nobody claps.'],
      [15, 'Clapping for juan.'],
      [18, 'Can you do one for extreme, please? I have read that the first twenty levels are pain.'],
      [3, 'They are pain. I will write it when my hands stop shaking.'],
      [
        2,
        'The canteen lady’s daily pays again after midnight, by the way. If you are still awake at 12:05, do it twice.',
      ],
    ],
  },
  {
    category: 200,
    title: 'Shaman: heal or hit in small parties?',
    hoursAgo: 31,
    views: 245,
    posts: [
      [
        16,
        'In a party of three I never know. If I heal only, we take all night. If I hit, somebody dies and looks at me.',
      ],
      [7, 'Three people: hit, and heal on red. Five: heal. That is all there is to it.'],
      [16, 'On red I am usually in the middle of a cast.'],
      [12, 'Use the short one. Ten short heals are more than four long ones when everybody moves.'],
      [7, 'What {12} said. And stand behind the archer, not behind the brawler. The brawler runs.'],
    ],
  },
  {
    category: 200,
    title: 'Water tank boss: the rhythm, written down',
    hoursAgo: 4 * DAY,
    views: 511,
    posts: [
      [
        6,
        'After 22 tries we have it. Count out loud:\n\n> slam – two – three – **step left** – two – spit – **everybody in** – two – three – four\n\nIf he coughs, the next slam comes two beats early. Do not ask me why, he is old.',
      ],
      [1, 'We did it with this in the first try. Our leader counted in Bisaya and it was even faster.'],
      [10, 'Step left of *him*, or left of the door?'],
      [6, 'Left of the door. Good question, three of us learned it on the floor.'],
      [8, 'He coughs when the adds are dead, I think. Leave one alive and he never coughs.'],
      [6, '{8} just tried it, it is TRUE. You are a scientist.'],
      [8, 'I am an archer with too much time.'],
    ],
  },
  {
    category: 200,
    title: 'Is 11% attack speed worth more than 6% critical?',
    hoursAgo: 6 * DAY,
    views: 288,
    posts: [
      [
        18,
        'Gunner, level 74. I can have one or the other. My guild mates are split and one of them made a slide deck.',
      ],
      [2, 'Attack speed if you fight players, critical if you fight lizards.'],
      [4, 'Show us the slide deck.'],
      [18, 'It has 14 slides and a picture of his cat.'],
      [13, 'Then critical. I trust the cat.'],
    ],
  },
  {
    category: 200,
    title: 'Club war on Mystic Peak’s side: where do you put the archers?',
    hoursAgo: 12 * DAY,
    views: 330,
    posts: [
      [12, 'Our archers stand on the stairs and get eaten from behind every single Friday.'],
      [9, 'Put two on the stairs and two on the roof of the canteen. Nobody looks at the canteen.'],
      [12, 'Nobody looked at the canteen. We held the area for nine minutes. NINE.'],
      [9, 'Please forget that I said this, we play you next week.'],
    ],
  },
  {
    category: 300,
    title: 'Rooftop, five minutes before the bell',
    hoursAgo: 18,
    views: 154,
    picture: 1,
    posts: [
      [5, '{picture}\n\nOne from each school. Nobody remembers who brought the bat.'],
      [0, 'Ganda! The moon is so big I want to put it in a jar.'],
      [16, 'The one with the staff is me and I was freezing.'],
    ],
  },
  {
    category: 300,
    title: 'Our whole club fits under one umbrella',
    hoursAgo: 3 * DAY,
    views: 190,
    picture: 2,
    posts: [
      [17, '{picture}\n\nThe umbrella is Milleage well spent.'],
      [1, 'Whose foot is that on the left'],
      [17, 'Mine. It is still wet.'],
      ['maria', 'Framing this. For real, may I print it?'],
      [17, 'Print it, and tag the umbrella.'],
    ],
  },
  {
    category: 300,
    title: 'Covered Court, last minute of the war',
    hoursAgo: 6 * DAY,
    views: 176,
    picture: 3,
    posts: [
      [12, '{picture}\n\nNobody held the area. Everybody says they did.'],
      [9, 'We held it.'],
      [12, 'See?'],
    ],
  },
  {
    category: 300,
    title: 'Route 26, unang biyahe',
    hoursAgo: 9 * DAY,
    views: 122,
    picture: 4,
    posts: [
      [10, '{picture}\n\nLogged in at five in the morning for this. Worth it.'],
      [20, 'I can smell the diesel and the pandesal.'],
    ],
  },
  {
    category: 300,
    title: 'First lantern on the wire',
    hoursAgo: 12 * DAY,
    views: 141,
    picture: 5,
    posts: [
      [15, '{picture}\n\nJust tall enough, with the crate.'],
      [11, 'Crate of the year.'],
    ],
  },
  {
    category: 300,
    title: 'The water tank knows everything',
    hoursAgo: 17 * DAY,
    views: 98,
    picture: 6,
    posts: [
      [6, '{picture}\n\nEvery secret of this campus was told under it.'],
      [8, 'Including the one about the cough.'],
    ],
  },
  {
    category: 300,
    title: 'Three banners, no wind',
    hoursAgo: 22 * DAY,
    views: 87,
    picture: 7,
    posts: [[13, '{picture}\n\nAn hour before the war. The ball is mine, please give it back.']],
  },
  {
    category: 400,
    title: 'Looking for a party: evenings after 9, any class',
    hoursAgo: 11,
    views: 143,
    posts: [
      [
        19,
        'Swordsman 58, Phoenix. I have two hours after work and a headset with a dog in the background. I do not mind dying, I mind silence.',
      ],
      [13, 'Same hours, archer 61. The dog is welcome.'],
      [16, 'Shaman here, I can come Tuesdays and Thursdays. I eat while I heal.'],
      [19, 'So we are three and a dog. {13}, tonight?'],
      [13, 'G. Add me in game, same name.'],
    ],
  },
  {
    category: 400,
    title: 'Happy birthday {16}! 🎉',
    hoursAgo: 2 * DAY,
    views: 178,
    posts: [
      [20, 'Today our silent healer has a birthday. Pancit for everyone on Rooftop 3, 8 PM, bring a chair.'],
      [13, 'Happy birthday! I bring the chair.'],
      [7, 'Happy birthday, on red.'],
      [4, 'I bring the rice cooker.'],
      [16, 'I am crying into the pancit. Thank you, all of you 💛'],
    ],
  },
  {
    category: 400,
    title: 'Balik-laro after six years. Who is still here?',
    hoursAgo: 5 * DAY,
    views: 402,
    posts: [
      [
        11,
        'I played on another server in high school, in a shop beside a laundry. Now I have a job and a chair that goes up and down. Is anybody here from those days?',
      ],
      [3, 'Beside a laundry in Marikina? With the owner who shouted “time!” even when there was time?'],
      [11, 'NO WAY'],
      [3, 'I owe you twelve pesos.'],
      [11, 'With six years of interest, that is a potion.'],
      ['juan', 'This topic is the best thing I read this week.'],
    ],
  },
  {
    category: 400,
    title: 'Study buddies? Board exam in April, log in only after',
    hoursAgo: 8 * DAY,
    views: 119,
    posts: [
      [
        15,
        'Nursing boards. I allow myself one run for every 50 questions. If somebody else studies, we can be each other’s guards.',
      ],
      [2, 'CPA here. One run for every chapter. Deal.'],
      [15, 'Deal. Chapter or no loot.'],
    ],
  },
  {
    category: 500,
    title: 'Bisdak diri! Kinsa taga-Cebu ug Davao?',
    hoursAgo: 22,
    views: 187,
    posts: [
      [1, 'Maayong gabii sa tanan. Mangita ko og ka-party nga Bisaya kay sige ko og kasab-an sa akong Tagalog haha.'],
      [8, 'Taga-Talisay ko! Kada gabii online human sa panihapon.'],
      [14, 'Davao represent. Naay durian diri apan dili mahimo i-trade.'],
      [1, 'Sayang. Party ta unya, alas nuebe.'],
    ],
  },
  {
    category: 500,
    title: 'Naimbag a rabii! Adda kadi Ilokano ditoy?',
    hoursAgo: 4 * DAY,
    views: 76,
    posts: [
      [10, 'Taga-Laoag ak. Siak laeng kadi?'],
      [20, 'Saan, adda ak met ditoy, taga-Vigan! Ania ti klasem?'],
      [10, 'Archer. Naimbag ta adda kaduak itan.'],
    ],
  },
  {
    category: 500,
    title: 'Tagalog na gabay para sa mga baguhan',
    hoursAgo: 14 * DAY,
    views: 356,
    pinned: true,
    posts: [
      [
        0,
        'Para sa mga kapatid nating nahihirapan sa Ingles:\n\n1. Pumili ng paaralan. Hindi na ito mapapalitan, pero pwede kang makipagkaibigan kahit saan.\n2. Kausapin ang tindera sa kantina. Siya ang may pinakamagandang quest.\n3. Ilagay ang mga potion sa Q. Oo, sa Q, hindi sa bag.\n4. Magtanong. Walang bobong tanong dito.',
      ],
      [5, 'Salamat dito! Ipapabasa ko kay nanay, naglalaro na rin siya.'],
      [0, 'Anong class ni nanay?'],
      [5, 'Brawler. Natural.'],
    ],
  },
  {
    category: 600,
    title: 'Kapit-Bisig is looking for members (all schools, no drama)',
    hoursAgo: 40,
    views: 268,
    posts: [
      [
        9,
        'We are 31 people, most of us with jobs or babies. We war on Fridays, we eat on Saturdays, and nobody gets shouted at.\n\n**We look for:** two shamans, one gunner, anybody who laughs.\n**We offer:** a place in the Covered Court, potions, and a group chat with too many cats.',
      ],
      [18, 'Gunner 74. I come with a slide deck.'],
      [9, 'You are the slide deck guy?? Accepted.'],
      [18, 'No, I am the victim of the slide deck guy.'],
      [9, 'Accepted twice.'],
    ],
  },
  {
    category: 600,
    title: 'Small club, big snacks: Tindahan ni Aling Nena',
    hoursAgo: 7 * DAY,
    views: 155,
    posts: [
      [17, 'Eleven members, Mystic Peak and Phoenix. We do not win much. We have never missed a Friday.'],
      [11, 'What are the snacks'],
      [17, 'Chicharon with vinegar, and hope.'],
    ],
  },
  {
    category: 600,
    title: 'Mag-isa lang ako, level 42 magician. May kukuha ba?',
    hoursAgo: 3 * DAY + 5,
    views: 133,
    posts: [
      [14, 'Shy ako sa voice chat pero mabilis mag-type.'],
      [9, 'Kapit-Bisig has three people who never spoke a word. Halika!'],
      [17, 'Or come to the store. We type with our mouths full anyway.'],
      [14, 'Nakakatuwa kayo. Sa Biyernes, pipili ako.'],
    ],
  },
  {
    category: 700,
    title: 'Please show how many potions are left on the quick slot',
    hoursAgo: 3 * DAY,
    views: 301,
    posts: [
      [2, 'I always find out that I have none by pressing Q and dying with dignity.'],
      [6, '+1. Red number when below five, please.'],
      ['gm', 'We like this. The number is drawn by the game itself, so it needs the next client. It is on the list.'],
      [2, 'This is the fastest answer I have ever got from anybody, including my mother.'],
    ],
  },
  {
    category: 700,
    title: 'A second lantern festival in summer',
    hoursAgo: 10 * DAY,
    views: 149,
    posts: [
      [15, 'Why only in December? The lanterns do not mind the heat.'],
      [7, 'My electricity bill minds.'],
      [12, 'Fireflies instead of lanterns, then. Same quest, other bulbs.'],
      [15, '{12} please work for the server.'],
    ],
  },
  {
    category: 700,
    title: 'Rankings: an arrow for who moved up since yesterday?',
    hoursAgo: 16 * DAY,
    views: 224,
    posts: [
      ['juan', 'I went from 88 to 79 and nobody knows except me and you.'],
      [13, 'Congratulations on 79!'],
      ['juan', 'Thank you. This is why I want the arrow.'],
    ],
  },
  {
    category: 700,
    title: 'Let us hide the helmet',
    hoursAgo: 25 * DAY,
    views: 410,
    posts: [
      [17, 'I paid for this hair.'],
      [16, 'She did. I was there.'],
      [4, '+1, the hair deserves better.'],
      ['gm', 'Noted, with a picture of the hair.'],
    ],
  },
]

/** Wait for a moderator: the first topic of a new player, and a new player's reply with a link. */
export const heldTopic = {
  category: 400,
  title: 'Hello po, bago lang ako',
  by: 21,
  body: 'Kaka-download ko lang kagabi. Saan po ba magandang magsimula, at paano magpalit ng buhok?',
} as const

export const heldReply = {
  topic: 'Looking for a party: evenings after 9, any class',
  by: 22,
  body: 'Cheap gold and levels, fast delivery, message me at https://gold.example/promo',
} as const

/** A post that players have reported. */
export const reportedPost = {
  topic: 'Is 11% attack speed worth more than 6% critical?',
  by: 23,
  body: 'Lol only losers ask this. Uninstall mo na lang.',
  reports: [
    { by: 18, reason: 'insult', words: 'I only asked a question.' },
    { by: 13, reason: 'insult', words: '' },
  ],
} as const

/** What a moderator noted on that case. */
export const caseNote =
  'Second time: he was silenced for three days last week. If he does it again, a longer one. Maria asked us to be patient, his brother uses the same PC.'

/** Cases that moderators have closed. */
export const decidedCases = [
  {
    by: 12,
    kind: 'report',
    outcome: 'dismissed',
    reason: 'cheating',
    words: 'Nobody holds the area for nine minutes.',
    note: 'Checked the log of the war. They did hold it.',
  },
  {
    by: 16,
    kind: 'report',
    outcome: 'dismissed',
    reason: 'other',
    words: 'She talks too much',
    note: 'Friendly teasing, no rule against it.',
  },
] as const

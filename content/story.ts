import type { SchoolCode } from '#contract/game.ts'

/** A baked picture `/art/story-<scene>.svg`. */
type StoryScene = 'bell' | 'hill' | 'gate' | 'peak' | 'phoenix' | 'brownout' | 'board' | 'shed'

export type Chapter = {
  /** The anchor. */
  id: string
  title: string
  /** Whose chapter it is, where it is a school's. */
  school?: SchoolCode
  scene: StoryScene
  paragraphs: readonly string[]
  quote?: { words: string; who: string }
}

export type Place = {
  /** The anchor's end: `#place-<id>`. */
  id: string
  name: string
  /** The name in lines, where one is too long for the map. */
  label?: readonly string[]
  /** The one sentence about it. */
  line: string
  /** The middle of its name on the map. */
  x: number
  y: number
  /** Where the place itself is drawn. */
  at: readonly [x: number, y: number]
  school?: SchoolCode
}

/** The story of the campus, in reading order. */
export const CHAPTERS: readonly Chapter[] = [
  {
    id: 'the-bell',
    title: 'The last bell',
    scene: 'bell',
    paragraphs: [
      'Every evening at eight a bell rings above three schools, and nobody has ever caught the person who rings it. The rope was cut in the year of the big rain. The door to the stairs is locked until you have earned it. The spare key hangs in the guard house, behind a man with a flashlight, a whistle and thirty years of experience, who says that he sleeps lightly.',
      'By day this is an ordinary campus at the end of an ordinary jeepney route: chalk, floor wax, a canteen that runs out of rice at half past twelve. At five the gates close. At six the lamps come on. At eight the bell rings, and the place grows. Hallways have more doors than the plans allow. The quad fills with water under a dry sky. Whoever is still inside after the last bell belongs to the night school, enrolled or not.',
    ],
    quote: {
      words: 'Thirty years I have counted them in and counted them out. Some nights I count out one more.',
      who: 'The night guard of Sacred Gate',
    },
  },
  {
    id: 'one-hill',
    title: 'One hill, three teachers',
    scene: 'hill',
    paragraphs: [
      'It was meant to be one school. Three teachers had put their pay together and bought a hill by the river Tahimik, because nobody else wanted it. They agreed on everything except what a school is for.',
      'To keep safe what is worth keeping, said Amparo, who taught history. To climb until you can see, said Hilario, who taught everything with numbers in it. To learn how to begin again, said Remedios of the woodshop, since something always burns. They argued for eleven years, most of it up on the roof, where it was cool. Then they built three schools around that one roof, and went on arguing across it.',
      'There was money for a single bell. None of them could be trusted with it, so they hung it where it belonged to all of them, ninety-six steps up. The carriers dropped it once, on the stairs. The broken step counts.',
    ],
  },
  {
    id: 'sacred-gate',
    title: 'Sacred Gate',
    school: 0,
    scene: 'gate',
    paragraphs: [
      "Amparo's school is the oldest building: arches, a courtyard of blue tiles, lamps that are polished before breakfast. Its students line up, complain about lining up, and line up. A gate, they will tell you, is not there to keep people out. It is there so that somebody stands beside it.",
      "In the year of the big rain the Tahimik came up the hill. For two nights the honor guard stood chest-deep in the water and passed people through the arch, hand over hand: children, cooks, the whole card catalogue of the rival school's library, three carabaos. Not one name on the list was lost. The list hangs in the lobby and is read aloud in Foundation Week. First-years laugh when the carabaos come. By the third year they do not.",
    ],
  },
  {
    id: 'mystic-peak',
    title: 'Mystic Peak',
    school: 1,
    scene: 'peak',
    paragraphs: [
      'Hilario built upward: terraces of rice on one side, terraces of classrooms on the other, mist on both until nine. People here measure things. They know how much it rained in any week you name, and how long a rumor takes from the lowest step to the highest. They are quiet, and it takes a semester to notice that they are joking.',
      'Between rooms 204 and 206 is a door without a number. Room 205 is on the third floor. And below the library lies a basement that nobody has finished. Hilario went down to look for the end of it, with a lamp, a sandwich and a ball of string, and told them to start dinner without him. The string is still moving. Now and then a librarian gives it a tug. Most times, something tugs back.',
    ],
    quote: {
      words: 'Sit down on the stairs now and then. The view is also an answer.',
      who: 'In chalk on the fourth terrace, written again after every rain',
    },
  },
  {
    id: 'phoenix',
    title: 'Phoenix',
    school: 2,
    scene: 'phoenix',
    paragraphs: [
      'Burned twice, rebuilt twice, painted red both times. The first fire was lightning; the second was soup. Remedios was past seventy when she drew the new walls on the back of the fire report, and she nailed one rule over the workshop door: nobody is scolded for trying, nobody is thanked for not trying.',
      'Their canteen is loud, their furnace never quite goes out, and their back door opens on the Old Market, so that lunch, spare parts and news arrive in no particular order. In the courtyard stands a tree that the first night guard planted in the mud after the big rain. It has burned too. It took that as advice. When your shield breaks or your plan does, someone from Phoenix will say "again" and hand you a hammer.',
    ],
  },
  {
    id: 'the-brownout',
    title: 'The long brownout',
    scene: 'brownout',
    paragraphs: [
      'They might have stayed rivals at basketball. But on the last night before an exam week, with all three schools awake and cramming, the bell rang at eight without a rope, and every lamp on the hill went out for ten minutes.',
      'When they came back on, the second floor was full of students who had graduated long ago and not noticed; they still go about in threes, asking for their section. The boiler room had stairs that led below its own floor. And those who had held on to something in the dark found that it held back. A bat. A bow. A blade, a coil from the lab, a stick of chalk. A shaman called a fallen friend by name and the friend got up, embarrassed. Eight ways of standing up to the night were counted that week. The ninth, the shaper, came years later and fell off everything first.',
      'One light had stayed on. Two students who had never spoken, with different badges, had held a paper lantern between them all ten minutes, because a frame that large takes four hands. That is why on parol night nobody may build one alone.',
    ],
  },
  {
    id: 'the-board',
    title: 'What they fight about',
    scene: 'board',
    paragraphs: [
      'The argument on the roof was never settled, so it is held monthly. Kills, rescues, levels, gold: everything is chalked on the boards in the three lobbies. On the first of each month, at midnight, the janitor comes by on his broom, which does not touch the floor, and wipes them clean. "Everyone starts from dust," he says, and will not be asked about the broom.',
      'Three places outside the walls belong to no school at all: the Covered Court with its echo, the Old Market with its money, and the Sky Bridge, six hundred and forty steps of wind. Clubs fight over these, because a club takes anyone, from any door. Whoever raises the banner may keep the place for a week. They also sweep it.',
    ],
  },
  {
    id: 'your-first-night',
    title: 'Your first night',
    scene: 'shed',
    paragraphs: [
      'The last jeepney of route 26 leaves the terminal at ten and takes forty-two minutes for the loop. Get off at the waiting shed. Somebody has scratched three words into the bench, Babalik din ako, I will be back too. Nobody knows who wrote them. Everybody knows whom they mean.',
      'The guard at the gate will have an errand for you, and it will sound silly. Take it. Choose the door whose argument you like best; the other two will feed you all the same. Fight beside a doorway. Thank your healers.',
      'At level twenty the roof opens. Ninety-six steps. Go up once without fighting. There are lamps on the wires and music from a radio that no one can find, and below you three courtyards lie lit in blue, green and red, still arguing. Wait until eight. When the bell begins to swing, look at the rope.',
    ],
  },
]

/** The size of the world map's drawing. */
export const MAP_SIZE = { width: 1000, height: 1120 }

/** What the world map shows, from the hilltop down to the road. */
export const PLACES: readonly Place[] = [
  {
    id: 'mystic-peak',
    name: 'Mystic Peak',
    line: 'Terraces, mist until nine, and a bell of its own that is never quite on time.',
    school: 1,
    at: [330, 210],
    x: 506,
    y: 92,
  },
  {
    id: 'library-basement',
    name: 'Library basement',
    label: ['Library', 'basement'],
    line: 'It goes down farther than the hill goes up; bring four people, one of them a healer.',
    at: [150, 330],
    x: 140,
    y: 196,
  },
  {
    id: 'rooftop',
    name: 'The rooftop',
    line: 'Ninety-six steps up, a water tank, the old bell, and three stairs that all end here.',
    at: [560, 300],
    x: 704,
    y: 190,
  },
  {
    id: 'boiler-room',
    name: 'Boiler room',
    line: 'Copper, steam, and stairs that lead below its own floor.',
    at: [850, 270],
    x: 846,
    y: 138,
  },
  {
    id: 'phoenix',
    name: 'Phoenix',
    line: 'Saw-tooth roofs, two chimneys, a tree that burned and took it as advice.',
    school: 2,
    at: [770, 440],
    x: 640,
    y: 512,
  },
  {
    id: 'sacred-gate',
    name: 'Sacred Gate',
    line: 'The oldest arches on the hill, around a courtyard of blue tiles.',
    school: 0,
    at: [225, 570],
    x: 290,
    y: 672,
  },
  {
    id: 'fountain',
    name: 'The fountain',
    line: 'If you came alone, wait here; someone from another school is waiting too.',
    at: [500, 505],
    x: 426,
    y: 462,
  },
  {
    id: 'sky-bridge',
    name: 'Sky Bridge',
    line: 'Club area: 640 steps from Phoenix to Sacred Gate, wind from the left, no railing.',
    at: [510, 590],
    x: 556,
    y: 662,
  },
  {
    id: 'covered-court',
    name: 'Covered Court',
    line: 'Club area: duels, boodle fights, good echo.',
    at: [180, 760],
    x: 120,
    y: 838,
  },
  {
    id: 'flooded-quad',
    name: 'Flooded quad',
    line: 'Water under a dry sky, fish in the water, spirits when it rains.',
    at: [450, 800],
    x: 476,
    y: 908,
  },
  {
    id: 'co-op',
    name: 'The co-op',
    line: 'Sells everything but erasers; there is a sign.',
    at: [690, 770],
    x: 690,
    y: 846,
  },
  {
    id: 'old-market',
    name: 'Old Market',
    line: 'Club area: most stalls, most gold, and Aling Sela’s paper for your lantern.',
    at: [842, 640],
    x: 846,
    y: 752,
  },
  {
    id: 'guard-house',
    name: 'Guard house',
    line: 'Your first errand, and the spare key you will not get.',
    at: [262, 960],
    x: 246,
    y: 884,
  },
  {
    id: 'waiting-shed',
    name: 'Waiting shed',
    line: 'Terminal of route 26; read the bench.',
    at: [560, 1010],
    x: 560,
    y: 1106,
  },
  {
    id: 'route-26',
    name: 'Route 26',
    line: 'The jeepney loop around the hill: forty-two minutes, last trip at ten.',
    at: [600, 24],
    x: 690,
    y: 66,
  },
  {
    id: 'tahimik',
    name: 'River Tahimik',
    label: ['River', 'Tahimik'],
    line: 'The quiet one, except for the year of the big rain.',
    at: [830, 850],
    x: 850,
    y: 918,
  },
]

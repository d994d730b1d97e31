import type { ClassName } from '#contract/game.ts'

/**
 * The classes of the guide: the nine of the contract, and the conductor. SPEC §2.10 asks for panels without tabs for
 * magician, shaper and "an eighth class", but there is no tenth class code. The conductor is therefore a class that the
 * school has announced but not opened yet; it is in no ranking, filter or form.
 */
export type GuideClass = ClassName | 'conductor'

/** How much of a trait a class has. */
export type TraitScore = 1 | 2 | 3 | 4 | 5

export const TRAITS = ['Damage', 'Toughness', 'Speed', 'Reach', 'Support', 'Easy to start'] as const
export type Trait = (typeof TRAITS)[number]

export type ClassSkill = {
  name: string
  /** The key that the guide suggests for it; 'Always' marks a passive skill. */
  key: 'F1' | 'F2' | 'F3' | 'F4' | 'Always'
  line: string
  /** The icon's name in the game-icons set. */
  icon: string
}

export type ClassGuide = {
  key: GuideClass
  /** The name on the tab. Swordsman and gunner are called Sword and Scientist here (DECISIONS §4). */
  name: string
  /** Its name in the rankings, where that differs. */
  alsoCalled?: string
  /** Describes its poster for those who cannot see it. */
  picture: string
  role: string
  weapon: string
  blurb: string
  strengths: readonly string[]
  weaknesses: readonly string[]
  traits: Record<Trait, TraitScore>
  /** The two stats to raise, the more important one first. */
  stats: readonly [string, string]
  skills: readonly ClassSkill[]
  tip: string
  /** The colour of its bars and signs, with enough contrast on the dark background. */
  tint: string
}

const brawler: ClassGuide = {
  key: 'brawler',
  picture: 'A brawler throws a taped, glowing fist under the lamps of the Covered Court.',
  name: 'Brawler',
  role: 'Stands in front, hits first, falls last',
  weapon: 'Fists, gloves, one old bat',
  blurb:
    'It began behind the canteen of Phoenix, where somebody drew a ring with spilled flour and the cook kept score on the menu board. Nobody there had money for a sword. They had tape, a rope and the rule that you help up whoever you knock down. Brawlers still tape their hands over the sink, left one first, and they still say thank you to the floor. Ask one why he goes in before the plan is ready. He will tell you that he is the plan.',
  strengths: [
    'Takes more hits than any other class at the same level',
    'Works from level 1 with whatever is lying around',
    'Never out of SP: the short attacks cost almost none',
  ],
  weaknesses: [
    'No reach at all; kiting archers are a long evening',
    'Nothing to give a party but a broad back',
    'Slows and chills hurt twice, since you have to walk',
  ],
  traits: { Damage: 4, Toughness: 5, Speed: 3, Reach: 1, Support: 1, 'Easy to start': 5 },
  stats: ['Strength', 'Stamina'],
  skills: [
    {
      name: 'Left, right',
      key: 'F1',
      icon: 'punch',
      line: 'Two quick hits. The second costs no SP if the first one landed.',
    },
    {
      name: 'Bell rush',
      key: 'F2',
      icon: 'sprint',
      line: 'Eight steps in a straight line, shoulder first. Also the way out.',
    },
    {
      name: 'Corner hook',
      key: 'F3',
      icon: 'punch-blast',
      line: 'Stuns for 1.5 seconds; for 3 if a wall stands behind the enemy.',
    },
    {
      name: 'Rope guard',
      key: 'F4',
      icon: 'boxing-ring',
      line: 'Halves every hit for six seconds, but you cannot move meanwhile.',
    },
    {
      name: 'Taped hands',
      key: 'Always',
      icon: 'mighty-force',
      line: 'Each hit you take makes your next one a little harder, up to ten.',
    },
  ],
  tip: 'Two of every three points into Strength until level 20, then one, and two into Stamina. Fight with your back to a door, so that only two can reach you, and save Bell rush for leaving. A night guard bat is worth it from level 20; until then your hands are better than anything the yard drops.',
  tint: '#FF9C82',
}

const archer: ClassGuide = {
  key: 'archer',
  picture: 'An archer at full draw on the Sky Bridge, the arrowhead bright.',
  name: 'Archer',
  role: 'Two shots before anybody reaches you',
  weapon: 'Bow, sixty arrows sorted by feather',
  blurb:
    'From the lamp in the middle of the Sky Bridge you can see all three schools, and on a clear evening you can read the clock of each. Archers train there because the wind is worst. The first lesson is to shoot at nothing and listen to where it lands. The second is to carry your arrows back up 96 steps. After that, they say, standing in a hallway and hitting a ghost between two door frames is a kind of holiday.',
  strengths: [
    'The longest reach of all nine classes',
    'Sees trouble first, and may simply decide against it',
    'Cheap to keep: arrows cost little, nobody breaks your boots',
  ],
  weaknesses: [
    'Three steps away you are an athlete with a stick',
    'Doors, stairs and pillars are on the enemy’s side',
    'Wind on the bridge and the roof moves long shots',
  ],
  traits: { Damage: 4, Toughness: 2, Speed: 4, Reach: 5, Support: 1, 'Easy to start': 4 },
  stats: ['Dexterity', 'Strength'],
  skills: [
    {
      name: 'Clean shot',
      key: 'F1',
      icon: 'high-shot',
      line: 'One arrow, no fuss. Every fourth on the same target hits its weak spot.',
    },
    {
      name: 'Feather first',
      key: 'F2',
      icon: 'arrow-flights',
      line: 'The opening shot from far away. The farther, the harder, up to double.',
    },
    {
      name: 'Nailed shoe',
      key: 'F3',
      icon: 'foot-plaster',
      line: 'Slows an enemy to half for four seconds. This is your distance.',
    },
    {
      name: 'Step back',
      key: 'F4',
      icon: 'tornado-discs',
      line: 'A leap of five steps away from whatever came too close.',
    },
    {
      name: 'Eye for wind',
      key: 'Always',
      icon: 'bullseye',
      line: 'Shows where a long shot will drift before you let go.',
    },
  ],
  tip: 'Dexterity only, until your arrows reach the far end of the hallway; then one Strength for every two. Keep Nailed shoe for the moment they run at you, not before. If you have no slow yet, leave F3 empty rather than filling it with something else.',
  tint: '#A9B9FF',
}

const swordsman: ClassGuide = {
  key: 'swordsman',
  picture: 'A swordsman on the rooftop, the bright blade over one shoulder, before a low moon.',
  name: 'Sword',
  alsoCalled: 'swordsman',
  role: 'Answers every move with a better one',
  weapon: 'Long blade, two hands',
  blurb:
    'The drama club of Sacred Gate kept forty blunt swords in a trunk, for a play that was never shown. When every lamp on the hill went out, somebody opened the trunk, somebody else found the whetstone, and by morning the play had a different ending. Swordsmen still learn it as theatre: where to stand, when to breathe, how to let the other one speak first. The blade comes last. What they practise for years is the half second before it.',
  strengths: [
    'Good at everything within three steps',
    'Blocks and answers in one move; duels are home games',
    'Wide cuts clear a group of hallway ghosts at once',
  ],
  weaknesses: [
    'Waits for mistakes, and a patient enemy makes few',
    'Armour and blade cost gold all the way up',
    'Helpless against whoever stays four steps away',
  ],
  traits: { Damage: 4, Toughness: 4, Speed: 3, Reach: 2, Support: 1, 'Easy to start': 4 },
  stats: ['Strength', 'Dexterity'],
  skills: [
    {
      name: 'First line',
      key: 'F1',
      icon: 'sword-slice',
      line: 'A straight cut. Hit three times in a row and the third goes through armour.',
    },
    {
      name: 'Enter, left',
      key: 'F2',
      icon: 'blade-drag',
      line: 'A dash of six steps that ends in a cut, from whichever side is open.',
    },
    {
      name: 'Half second',
      key: 'F3',
      icon: 'crossed-swords',
      line: 'Parry. If a blow lands in that half second, its owner is stunned for two.',
    },
    {
      name: 'Curtain',
      key: 'F4',
      icon: 'spinning-sword',
      line: 'A full circle that throws everyone near you back by four steps.',
    },
    {
      name: 'Stage presence',
      key: 'Always',
      icon: 'swords-emblem',
      line: 'Enemies who face you hit ten percent softer. Those behind you do not.',
    },
  ],
  tip: 'Strength to 30 first, then one Dexterity for every Strength: a parry that comes late is only a pose. Put Enter, left on F2 and practise it as an exit, too. The theater stage sword carries you from level 20 to 45, so spend your gold on boots.',
  tint: '#FFB3C4',
}

const shaman: ClassGuide = {
  key: 'shaman',
  picture: 'A shaman with a belled staff on the terraces, lanterns in the mist.',
  name: 'Shaman',
  role: 'One right decision, and everybody lives',
  weapon: 'Belled staff of bamboo and brass',
  blurb:
    'On the terraces above Mystic Peak the mist stays until nine, and voices carry farther than faces. The first shamans were the ones who stood on the lowest step and called people home for supper, by name, until each had answered. On the night of the long brownout somebody answered who had already fallen. They do not explain how it works. They tie a bell to the staff for everyone they brought back, and by the third year you can hear them coming from two floors below.',
  strengths: [
    'The strongest heal on one person, from far behind',
    'Resurrection across the room in 3.4 seconds',
    'Every party search message ends with your name',
  ],
  weaknesses: [
    'Slow alone until level 30',
    'First target of every assassin with an idea',
    'Those who stand still while healing will not heal for long',
  ],
  traits: { Damage: 2, Toughness: 2, Speed: 2, Reach: 4, Support: 5, 'Easy to start': 2 },
  stats: ['Spirit', 'Stamina'],
  skills: [
    {
      name: 'Bell note',
      key: 'F1',
      icon: 'ringing-bell',
      line: 'A small push of sound. Enough for ghosts, rude for people.',
    },
    { name: 'Supper call', key: 'F2', icon: 'healing', line: 'Heals one person a lot, from up to nine steps away.' },
    {
      name: 'Nine o’clock mist',
      key: 'F3',
      icon: 'raining',
      line: 'Enemies in it miss a third of their hits for five seconds.',
    },
    {
      name: 'By name',
      key: 'F4',
      icon: 'angel-wings',
      line: 'Brings back one of the fallen in 3.4 seconds, from far away. Counts as resu.',
    },
    {
      name: 'Every bell',
      key: 'Always',
      icon: 'prayer-beads',
      line: 'Your heals grow with the number of different people you have brought back.',
    },
  ],
  tip: 'Spirit until level 50, with every fifth point in Stamina so that one arrow is not the end. Level with friends for the first thirty levels; ask in free chat before you pay 20,000 for a search. Walk between heals, and say in party chat whom you are raising.',
  tint: '#6FDDBB',
}

const extreme: ClassGuide = {
  key: 'extreme',
  picture: 'An extreme in the boiler room, arm up, holding a bolt of lightning.',
  name: 'Extreme',
  role: 'Fights in the middle, mends whoever is near',
  weapon: 'Bare hands and the current',
  blurb:
    'On the night of the long brownout three students sat in the boiler room under Mystic Peak instead of studying. When the lamps came back they stood in the door with their hair on end, and the nurse could not find anything wrong with them, except that her watch ran backwards when they shook her hand. Extremes take what is in the air and pass it on: into an enemy, or into a friend who has stopped moving. The feeling is the same, they say. Only the direction differs.',
  strengths: [
    'Fine alone from level 1, welcome in every party after that',
    'Heals the whole party little by little while fighting',
    'Resurrection in 2.0 seconds, the fastest there is',
  ],
  weaknesses: [
    'Must stand beside the fallen, where it just got dangerous',
    'The support stance drinks 18 SP a tick',
    'Jack of both trades; the day you forget to heal is remembered',
  ],
  traits: { Damage: 3, Toughness: 3, Speed: 4, Reach: 2, Support: 4, 'Easy to start': 4 },
  stats: ['Spirit', 'Stamina'],
  skills: [
    {
      name: 'Spark',
      key: 'F1',
      icon: 'lightning-arc',
      line: 'A short arc that jumps to a second enemy if one stands close.',
    },
    {
      name: 'Live wire',
      key: 'F2',
      icon: 'electric-whip',
      line: 'Pulls you to an enemy, or to a friend, up to six steps away.',
    },
    {
      name: 'Brownout',
      key: 'F3',
      icon: 'lightning-storm',
      line: 'Everyone around you is slowed for three seconds and loses 40 SP.',
    },
    {
      name: 'Get up',
      key: 'F4',
      icon: 'heart-beats',
      line: 'Brings back the fallen beside you in 2.0 seconds. Counts as resu.',
    },
    {
      name: 'Support stance',
      key: 'Always',
      icon: 'lightning-shield',
      line: 'Switch it on and the party around you heals with every tick.',
    },
  ],
  tip: 'Spirit and Stamina in turn, from the first point on. Level to 30 with the stance off; then turn it on in every party and leave it on until your SP is down to a third. Nothing that you press in a panic belongs beside Get up on F4.',
  tint: '#D7C2FF',
}

const gunner: ClassGuide = {
  key: 'gunner',
  picture: 'A scientist in a lab coat fires a coil gun from the hip; three rings of light at its mouth.',
  name: 'Scientist',
  alsoCalled: 'gunner',
  role: 'Proves it from a safe distance',
  weapon: 'Coil gun, three rings, no licence',
  blurb:
    'Second prize at the regional science fair, the jury wrote, for a water gun that filled itself from any fountain. The jury had not seen what it did with a lab coil inside. On the lists they are gunners, because the form had only one line. Among themselves they say scientist, and keep a notebook: distance, charge, what was hit, what had been meant. The laboratory of Sacred Gate has new windows every term. Each pane carries a small brass plate with the name of a theory.',
  strengths: [
    'Hits a whole line of enemies with one charge',
    'Reloading no longer stops when you step sideways',
    'Has an answer to armour, ice and crowds',
  ],
  weaknesses: [
    'Charge, shoot, reload: the wrong moment is a long one',
    'Coils are the dearest ammunition on campus',
    'Everybody hears you. Everybody',
  ],
  traits: { Damage: 5, Toughness: 2, Speed: 2, Reach: 4, Support: 2, 'Easy to start': 3 },
  stats: ['Dexterity', 'Spirit'],
  skills: [
    {
      name: 'Short circuit',
      key: 'F1',
      icon: 'ray-gun',
      line: 'The quick shot. Three in a row, then a breath of reloading.',
    },
    {
      name: 'Thesis',
      key: 'F2',
      icon: 'laser-blast',
      line: 'Hold to charge, release for one beam through everyone in line.',
    },
    {
      name: 'Cold flask',
      key: 'F3',
      icon: 'fizzing-flask',
      line: 'A circle of ice. Those who walk in slow down; those who run slip.',
    },
    {
      name: 'Recoil',
      key: 'F4',
      icon: 'magnet-blast',
      line: 'Fires at the floor and throws you six steps back, over walls up to your knee.',
    },
    {
      name: 'Notebook',
      key: 'Always',
      icon: 'reticule',
      line: 'Every miss is noted: the next shot at the same target is five percent surer.',
    },
  ],
  tip: 'Two Dexterity, one Spirit, all the way; charge time falls with the second. Fight where there is a fountain, since the science fair water gun reloads from any. And stand to the side of your party: Thesis does not hurt friends, but it does light them up.',
  tint: '#8FDCF5',
}

const assassin: ClassGuide = {
  key: 'assassin',
  picture: 'A hooded assassin crouches in a dark hallway behind an opened balisong.',
  name: 'Assassin',
  role: 'Gone before the lamp swings back',
  weapon: 'Balisong, opened with one hand',
  blurb:
    'There is a room between 204 and 206 that has no number, and whoever finds its door from the inside is invited to stay. They mend slippers there so that they make no sound, oil hinges, and keep a list of favours the three schools owe each other. An assassin is not the angriest person in a fight. An assassin is the one who already knows who will leave by which stairs. The night guard has caught four of them in thirty years. He is proud of each.',
  strengths: [
    'The hardest single hit in the game, from behind',
    'Chooses when a fight begins and when it is over',
    'Walks through most maps without a fight at all',
  ],
  weaknesses: [
    'Two seconds in the open and you are the softest target',
    'The second hit after stealth counts 128 percent, no longer 140',
    'Parties want to know where you are. You are not there',
  ],
  traits: { Damage: 5, Toughness: 1, Speed: 5, Reach: 1, Support: 1, 'Easy to start': 2 },
  stats: ['Dexterity', 'Strength'],
  skills: [
    {
      name: 'Click',
      key: 'F1',
      icon: 'butterfly-knife',
      line: 'The quick cut. Each one in the same fight comes a little sooner.',
    },
    {
      name: 'Second stairs',
      key: 'F2',
      icon: 'backstab',
      line: 'Appears behind an enemy up to seven steps away. The next hit counts double.',
    },
    {
      name: 'Flour in the eyes',
      key: 'F3',
      icon: 'smoke-bomb',
      line: 'Blinds everyone close by for two seconds. Brownout shades halve it.',
    },
    {
      name: 'Lights out',
      key: 'F4',
      icon: 'domino-mask',
      line: 'Stealth for eight seconds. Ends with your first hit, or theirs.',
    },
    {
      name: 'Soft slippers',
      key: 'Always',
      icon: 'wingfoot',
      line: 'Ghosts notice you only from three steps away. So does the guard.',
    },
  ],
  tip: 'Everything into Dexterity until 40; what you cannot dodge, you should not have met. Learn one way out of each map before you learn one way to win there. Until level 25 it is slow going alone, so bring a shaman some pandesal and travel together.',
  tint: '#FF9C82',
}

const magician: ClassGuide = {
  key: 'magician',
  picture: 'A magician floats in the library basement and writes a star with chalk.',
  name: 'Magician',
  role: 'Ends the fight, if you let her finish the line',
  weapon: 'Chalk wand and somebody’s notes',
  blurb:
    'Nobody has finished the library basement of Mystic Peak. There are shelves behind the shelves, and a reading lamp at the end that is always on. Magicians found that what you write on the wall down there with detention chalk, a hundred times, in good handwriting, begins to be true. The trick is not power. It is spelling. They carry their lines in the sleeve, cross out what does not work, and return every book, nine years late, with a note of thanks.',
  strengths: [
    'The most damage to the most people at once',
    'Fire, ice and light: something always fits the weather',
    'The first four spells cost less SP until level 30',
  ],
  weaknesses: [
    'Long spells; a nudge at the wrong letter costs the whole line',
    'Rain takes five percent of your fire',
    'The thinnest coat of all nine classes',
  ],
  traits: { Damage: 5, Toughness: 1, Speed: 2, Reach: 4, Support: 2, 'Easy to start': 2 },
  stats: ['Spirit', 'Dexterity'],
  skills: [
    { name: 'Chalk star', key: 'F1', icon: 'star-swirl', line: 'A small light that finds its way. Hardly any SP.' },
    {
      name: 'Hundred lines',
      key: 'F2',
      icon: 'meteor-impact',
      line: 'The long one: fire over half a room. The same key cancels it.',
    },
    {
      name: 'Quiet, please',
      key: 'F3',
      icon: 'ice-bolt',
      line: 'Freezes one enemy for two seconds. The librarian’s favourite.',
    },
    { name: 'Page torn out', key: 'F4', icon: 'teleport', line: 'You are ten steps away, facing the same direction.' },
    {
      name: 'Good handwriting',
      key: 'Always',
      icon: 'spell-book',
      line: 'Standing still for three seconds halves the next casting time.',
    },
  ],
  tip: 'Spirit, Spirit, Spirit; every fourth point into Dexterity, because it shortens the casting. Start Hundred lines when your brawler says now, not when you feel like it, and keep Page torn out for yourself. The detention chalk wand pays for itself in a week.',
  tint: '#FFD9A0',
}

const shaper: ClassGuide = {
  key: 'shaper',
  picture: 'A shaper with a foot on a block and a spanner on the shoulder lifts the next cube.',
  name: 'Shaper',
  role: 'Decides where the fight has walls',
  weapon: 'Spanner, tape measure, the ground itself',
  blurb:
    'The youngest of the nine, and the only one the teachers did not plan. Shop class had been told to build a bench for the waiting shed. By Friday there was a bench, a roof over it and a staircase that led eight steps into the air, to where the view was better. Shapers do not call it magic. They call it leaving the material no choice. If you meet one in the quad before sunrise, help carry; by first bell it will be something you need.',
  strengths: [
    'Walls stand for twelve seconds and stop everything',
    'Turns an open field into a doorway for your party',
    'Halves every fall, having practised them',
  ],
  weaknesses: [
    'Six blocks at once, three high, and then you wait',
    'Alone it is a slow way of hitting things',
    'Friends behind the wrong wall remember it',
  ],
  traits: { Damage: 2, Toughness: 4, Speed: 2, Reach: 3, Support: 4, 'Easy to start': 1 },
  stats: ['Stamina', 'Spirit'],
  skills: [
    { name: 'Spanner', key: 'F1', icon: 'spanner', line: 'A plain, heavy hit. On your own block it repairs instead.' },
    { name: 'Stair', key: 'F2', icon: 'stairs', line: 'A block rises under you, or under whoever you point at.' },
    {
      name: 'Wall of the week',
      key: 'F3',
      icon: 'brick-wall',
      line: 'Three blocks in a row for twelve seconds. 3,100 strength at level 60.',
    },
    {
      name: 'Bring it down',
      key: 'F4',
      icon: 'falling-rocks',
      line: 'All your blocks fall at once, on whoever stands below or beside.',
    },
    {
      name: 'Measure twice',
      key: 'Always',
      icon: 'cubes',
      line: 'Shows how long each of your blocks will stand, to the second.',
    },
  ],
  tip: 'Stamina first, then Spirit in turn: strong blocks need both. Place two and keep four for what goes wrong. Talk before you build; one word is enough: left, right, roof. And a skill reset slip is cheap; nobody gets this class right the first time.',
  tint: '#D8E1E4',
}

const conductor: ClassGuide = {
  key: 'conductor',
  picture: 'A conductor hangs from the back of a jeepney in the rain, the tickets fanned in one hand.',
  name: 'Conductor',
  role: 'Announced, not yet open: nobody travels alone',
  weapon: 'A voice, a whistle, exact change',
  blurb:
    'On the last trip of route 26 somebody always hangs at the back, one hand on the rail, the fare folded between three fingers, and knows without asking where each of you gets off. The schools have promised that seat a classroom of its own. What we know so far: a conductor hardly fights. A conductor calls the stops, moves a whole party from one end of the map to the other, and remembers who still owes. Everything below comes from the test channel and may change before the doors open.',
  strengths: [
    'Moves the whole party at once, even out of trouble',
    'Everyone nearby walks faster and earns a little more gold',
    'The only class that makes the road to the fight shorter',
  ],
  weaknesses: [
    'Alone it is a loud person with a whistle',
    'No date: it opens when the jeepney starts three times in a row',
    'Not in the rankings or at registration until then',
  ],
  traits: { Damage: 1, Toughness: 3, Speed: 5, Reach: 3, Support: 5, 'Easy to start': 2 },
  stats: ['Spirit', 'Dexterity'],
  skills: [
    {
      name: 'Exact change',
      key: 'F1',
      icon: 'coins',
      line: 'A thrown handful. Hurts a little, and comes back to you.',
    },
    {
      name: 'Sabit',
      key: 'F2',
      icon: 'jeep',
      line: 'Grab on: a friend within ten steps takes you along wherever they run.',
    },
    { name: 'Para!', key: 'F3', icon: 'whistle', line: 'Everything around you stops for one second. Everything.' },
    {
      name: 'Last trip',
      key: 'F4',
      icon: 'bus-stop',
      line: 'The whole party is back at the last terminal you called.',
    },
    {
      name: 'Knows the route',
      key: 'Always',
      icon: 'steering-wheel',
      line: 'The party sees the stairs and doors of the map it is on, even unvisited ones.',
    },
  ],
  tip: 'You cannot choose this class yet. If it is the one for you, play a shaman or an extreme until then: the habit of counting heads is the same, and the resu board counts those evenings. News from the test channel is on the front page.',
  tint: '#FFB54A',
}

/** The classes with tabs, in the order of SPEC §2.10. Scientist is the guide's name of the gunner, Sword the swordsman's. */
export const TABBED_CLASSES: readonly ClassGuide[] = [brawler, archer, swordsman, shaman, extreme, gunner, assassin]

/** The panels without tabs, reached by their address: magician, shaper, and the eighth class of SPEC §2.10. */
export const UNTABBED_CLASSES: readonly ClassGuide[] = [magician, shaper, conductor]

export const CLASS_GUIDES: readonly ClassGuide[] = [...TABBED_CLASSES, ...UNTABBED_CLASSES]

const GUIDE_OF = new Map<string, ClassGuide>(CLASS_GUIDES.map((guide) => [guide.key, guide]))

/** An address may also use the name on the tab, such as `scientist`. */
for (const guide of CLASS_GUIDES) GUIDE_OF.set(guide.name.toLowerCase(), guide)

/** The class that `?class=` names, or null without one or for an unknown one. Letter case does not matter. */
export function namedClass(query: URLSearchParams): ClassGuide | null {
  return GUIDE_OF.get(query.get('class')?.toLowerCase() ?? '') ?? null
}

/** The class whose panel to show: the one that `?class=` names, otherwise the first tab's. */
export function shownClass(query: URLSearchParams): ClassGuide {
  return namedClass(query) ?? brawler
}

/** The address of a class's panel. */
export function classPath(key: GuideClass): string {
  return `/characters?class=${key}`
}

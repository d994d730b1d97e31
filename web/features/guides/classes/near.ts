import type { ClassGuide } from './class-types.ts'

/** Those who stand in front. */
export const brawler: ClassGuide = {
  key: 'brawler',
  picture: 'A brawler throws a taped, glowing fist under the lamps of the Covered Court.',
  name: 'Brawler',
  role: 'Stands in front, hits first, falls last',
  weapon: 'Fists, gloves, one old bat',
  blurb:
    'It began behind the canteen of Phoenix, where somebody drew a ring with spilled flour and the cook kept score on the menu board. Nobody there had money for a sword. They had tape, a rope and the rule that you help up whoever you knock down. Brawlers still tape their hands over the sink, left one first, and they still say thank you to the floor. Ask one why he goes in before the plan is ready. He will tell you that he is the plan.',
  strengths: [
    'Takes more hits than any other class at the same level',
    'Works from level 1 with whatever lies around',
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
      line: 'Takes half of every hit for six seconds. You cannot move meanwhile.',
    },
    {
      name: 'Taped hands',
      key: 'Always',
      icon: 'mighty-force',
      line: 'Each hit you take makes your next one a little harder, up to ten.',
    },
  ],
  tip: 'Two points of three into Strength until level 20, then one and two. Fight with your back to a door, so that only two can reach you, and save Bell rush for leaving. A night guard bat is worth it from level 20; until then your hands are better than anything the yard drops.',
  tint: '#FF9C82',
}

export const swordsman: ClassGuide = {
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

export const assassin: ClassGuide = {
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

export const extreme: ClassGuide = {
  key: 'extreme',
  picture: 'An extreme in the boiler room, arm up, holding a bolt of lightning.',
  name: 'Extreme',
  role: 'Fights in the middle, mends whoever is near',
  weapon: 'Bare hands and the current',
  blurb:
    'On the night of the long brownout three students sat in the boiler room under Mystic Peak instead of studying. When the lamps came back they stood in the door with their hair on end, and the nurse could not find anything wrong with them, except that her watch ran backwards when they shook her hand. Extremes take what is in the air and pass it on: into an enemy, or into a friend who has stopped moving. The feeling is the same, they say. Only the direction differs.',
  strengths: [
    'Fine alone from level 1, welcome in every party after',
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
  tip: 'Spirit and Stamina in turns, from the first point on. Level to 30 with the stance off; then turn it on in every party and leave it on until your SP are at a third. Nothing belongs beside Get up on F4 that you press in panic.',
  tint: '#D7C2FF',
}

export const conductor: ClassGuide = {
  key: 'conductor',
  picture: 'A conductor hangs from the back of a jeepney in the rain, the tickets fanned in one hand.',
  name: 'Conductor',
  role: 'Announced, not yet open: nobody travels alone',
  weapon: 'A voice, a whistle, exact change',
  blurb:
    'On the last trip of route 26 somebody always hangs at the back, one hand on the rail, the fare folded between three fingers, and knows without asking where each of you gets off. The schools have promised that seat a classroom of its own. What we know so far: a conductor hardly fights. A conductor calls the stops, moves a whole party from one end of the map to the other, and remembers who still owes. Everything below comes from the test channel and may change before the doors open.',
  strengths: [
    'Moves the whole party at once, also out of trouble',
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
      line: 'The party sees stairs and doors of the map it is on, also unvisited ones.',
    },
  ],
  tip: 'You cannot choose this class yet. If it is the one for you, play a shaman or an extreme until then: the habit of counting heads is the same, and the resu board counts those evenings. News of the test channel stands on the front page.',
  tint: '#FFB54A',
}

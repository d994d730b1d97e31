import type { ClassGuide } from './class-types.ts'

/** Those who keep their distance. */
export const archer: ClassGuide = {
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
    'Doors, stairs and pillars are on the other side',
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

export const shaman: ClassGuide = {
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
    'Whoever stands still while healing will not heal long',
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
    { name: 'Supper call', key: 'F2', icon: 'healing', line: 'Heals one person, much, from up to nine steps away.' },
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
      line: 'Your heals grow with the number of different people you brought back.',
    },
  ],
  tip: 'Spirit until level 50, with every fifth point in Stamina so that one arrow is not the end. Level with friends for the first thirty levels; ask in free chat before you pay 20,000 for a search. Walk between heals, and write in party chat whom you are raising.',
  tint: '#6FDDBB',
}

export const gunner: ClassGuide = {
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
    'Has an answer for armour, ice and crowds',
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
      line: 'A circle of ice. Whoever walks in, slows; whoever runs, slips.',
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

export const magician: ClassGuide = {
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
    'Long spells; a nudge at the wrong letter costs them all',
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

export const shaper: ClassGuide = {
  key: 'shaper',
  picture: 'A shaper with a foot on a block and a spanner on the shoulder lifts the next cube.',
  name: 'Shaper',
  role: 'Decides where the fight has walls',
  weapon: 'Spanner, tape measure, the ground itself',
  blurb:
    'The youngest of the nine, and the only one the teachers did not plan. Shop class had been told to build a bench for the waiting shed. By Friday there was a bench, a roof over it and a staircase that led eight steps into the air, to where the view was better. Shapers do not call it magic. They call it leaving the material no choice. If you meet one in the quad before sunrise, help to carry; by first bell it will be something you need.',
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
  tip: 'Stamina first, then Spirit in turns: strong blocks need both. Place two and keep four for what goes wrong. Talk before you build, one word is enough: left, right, roof. And a skill reset slip is cheap; nobody gets this class right the first time.',
  tint: '#D8E1E4',
}

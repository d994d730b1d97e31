import type { SystemSection } from './system-types.ts'

/** Levels, schools, things. */
export const levels: SystemSection = {
  id: 'levels',
  title: 'Levels and stats',
  lead: 'Experience makes levels, levels make points, and points make the difference between two brawlers.',
  blocks: [
    {
      kind: 'text',
      text: 'You gain experience for what you defeat, for errands, and for a share of what your party defeats near you. A party of four loses nothing by sharing: each of you gets the full amount up to five levels apart, less beyond that.',
    },
    { kind: 'figure', figure: 'levels' },
    {
      kind: 'text',
      text: 'Each level gives **three stat points**, every second level **one skill point** for your teacher. Skills you could learn wait; nothing runs away.',
    },
    {
      kind: 'table',
      caption: 'What the four stats do',
      head: ['Stat', 'Raises'],
      rows: [
        ['Strength', 'Damage of fists, blades and drawn bows; what you can carry'],
        ['Dexterity', 'Hitting, dodging, attack and casting speed'],
        ['Spirit', 'Spells, heals, the amount of SP and how fast it returns'],
        ['Stamina', 'HP, defense, and how long you can sprint'],
      ],
    },
    {
      kind: 'note',
      text: 'Falling to a monster costs two percent of the level’s experience, never a level. A resurrection gives half of it back. Wrong points? A skill reset slip from the [item shop](/itemshop) gives all of them back.',
    },
  ],
}

export const schools: SystemSection = {
  id: 'schools',
  title: 'Schools',
  lead: 'Three houses, the same nine classes, the same numbers. You choose where you come home to.',
  blocks: [
    { kind: 'figure', figure: 'schools' },
    {
      kind: 'text',
      text: 'Your school decides your starting yard, your teacher, your locker, and the colour and crest you wear in the [rankings](/rankings). Parties, clubs and friendships cross every border.',
    },
    {
      kind: 'note',
      text: 'A later change of school costs the month’s rank. Visit all three with a level 1 character first; it takes an hour. The long version is in [the story](/story).',
    },
  ],
}

export const refining: SystemSection = {
  id: 'drops',
  title: 'Drops and refining',
  lead: 'What falls is luck. What becomes of it is patience, and knowing when to stop.',
  blocks: [
    {
      kind: 'text',
      text: 'Monsters drop gold, food, materials and now and then gear. In a party, gear goes round in turns, and whoever cannot use it may pass. What lies on the ground is yours alone for thirty seconds and everybody’s after that.',
    },
    { kind: 'figure', figure: 'refining' },
    {
      kind: 'text',
      text: 'The smith in each workshop refines weapons and armour with copper and a fee. Up to +4 it always works. From +5 on a failure takes one level off; nothing ever breaks.',
    },
    {
      kind: 'table',
      caption: 'Chance of a refinement',
      head: ['To', 'Copper', 'Chance', 'If it fails'],
      rows: [
        ['+1 to +4', '1', '100%', '–'],
        ['+5, +6', '3', '70%', 'one level down'],
        ['+7, +8', '6', '45%', 'one level down'],
        ['+9, +10', '12', '20%', 'one level down'],
      ],
    },
    {
      kind: 'note',
      text: 'Two failures, then go to bed. A rooftop sharpening kit keeps the level once; it is in the [item shop](/itemshop), and half of the market sells it cheaper on Sunday morning.',
    },
  ],
}

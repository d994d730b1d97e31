import type { SystemSection } from './system-types.ts'

/** Everything with winners. */
export const fights: SystemSection = {
  id: 'fights',
  title: 'Fights between players',
  lead: 'Kills and deaths are counted, by the month, in public. Choose where you stand.',
  blocks: [
    { kind: 'figure', figure: 'fight' },
    {
      kind: 'table',
      caption: 'Where players may fight',
      head: ['Place', 'Rule'],
      rows: [
        ['Yards, lobbies, canteens', 'No fighting between players'],
        ['Hallways, quad, boiler room', 'Duels, if both say yes'],
        ['Open maps and rooftop stairs', 'Open fights from level 20, without asking'],
        ['Club areas', 'During a war: everybody signed up'],
        ['Channel 8', 'Duels on the Covered Court only'],
      ],
    },
    {
      kind: 'text',
      text: 'A **kill** counts for whoever struck last, a **death** for whoever fell. Both stand on the killer board of the [rankings](/rankings?tab=killer), counted from the first of the month. Your lifetime numbers stay in the character status window.',
    },
    {
      kind: 'list',
      lines: [
        'The same person counts once an hour. The second time is only rude.',
        'More than fifteen levels below you: no kill, but still a death.',
        'Whoever wins in an open map picks up one percent of the gold the other carried. Use your locker.',
        'A broken connection is taken out of the world after 15 seconds. In a club war it is no death.',
      ],
    },
  ],
}

export const clubs: SystemSection = {
  id: 'clubs',
  title: 'Clubs and the three areas',
  lead: 'A club may hold one area and set its tax. Where nobody holds it, the club is none and the tax is 0%.',
  blocks: [
    { kind: 'figure', figure: 'areas' },
    {
      kind: 'text',
      text: 'A club needs a leader of level 30, two founders and 300,000 gold at the guard house. From eight members of level 40 on it may sign up for the war: **Saturday, 9:00 PM to 10:00 PM**, sign-up until Friday noon, for one area.',
    },
    {
      kind: 'list',
      lines: [
        'Raise your banner on the area’s pole. Each full minute it stays up is a point.',
        'A resurrection by your shaman or extreme is a quarter of a point.',
        'Level on points? Fewer deaths win.',
        '24 fighters inside for each club; charms and food rest.',
      ],
    },
    {
      kind: 'note',
      text: 'The owner sets a tax of 0 to 5 percent on what is sold in the area, changed once a week. Half goes to the club, half into event prizes. Owner and tax of today stand on the [home page](/).',
    },
  ],
}

export const resu: SystemSection = {
  id: 'resu',
  title: 'Resu',
  lead: 'Everyone knows who has the most kills. Resu counts who brought them back.',
  blocks: [
    { kind: 'figure', figure: 'resu' },
    {
      kind: 'text',
      text: 'Resu is the **resurrection score**: one for every fallen player brought back by a [shaman](/characters?class=shaman) or an [extreme](/characters?class=extreme). That is why its board offers only these two classes.',
    },
    {
      kind: 'list',
      lines: [
        'Raised friends and raised strangers count the same.',
        'The same person counts again after three minutes.',
        'Duels do not count. Nobody really falls in a duel.',
        'The board counts from the first of the month: [resu ranking](/rankings?tab=resu).',
      ],
    },
  ],
}

export const mmr: SystemSection = {
  id: 'mmr',
  title: 'MMR',
  lead: 'A number that finds you somebody about as good as you. Everyone begins at 1,000.',
  blocks: [
    { kind: 'figure', figure: 'mmr' },
    {
      kind: 'text',
      text: 'It moves with ranked duels only, signed up for at the duel board of the Covered Court. Your first twenty count double, so the number looks wild in the first week.',
    },
    {
      kind: 'note',
      text: 'From the fifth duel against the same person on one day, nothing counts. MMR is not reset: the [board](/rankings?tab=mmr) shows it as it stands when the month closes.',
    },
  ],
}

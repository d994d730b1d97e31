/** The three colors that an operator chooses, as six hexadecimal digits after a #. */
export type ThemeColors = { ground: string; accent: string; second: string }

export const COLOR_NAMES = { ground: 'Ground', accent: 'Accent', second: 'Second accent' } as const

export const ORIGINAL_COLORS: ThemeColors = { ground: '#0a0c13', accent: '#ffd21f', second: '#2239a8' }

/** The colors of the original theme, by the names that the stylesheets use (web/ui/base.css has the same). */
export const ORIGINAL_TOKENS = {
  ink: '#0a0c13',
  'ink-2': '#11141f',
  'ink-3': '#1a1f2e',
  line: '#2c3348',
  'line-2': '#6b7590',
  paper: '#f5f1e6',
  'text-2': '#c3c8d4',
  'text-3': '#98a0b4',
  'field-focus': '#15192a',
  'paper-2': '#d9d3c4',
  'paper-3': '#e6e0d0',
  'paper-field': '#ffffff',
  'paper-focus': '#fff7d1',
  'paper-mute': '#5b564a',
  'paper-strong': '#514c41',
  'paper-edge': '#6e685a',
  'paper-line': '#c2baa4',
  'paper-rule': '#a39c88',
  'paper-faint': '#b5ad98',
  red: '#ff5d4d',
  'red-paper': '#b4230f',
  green: '#48d597',
  rcoin: '#ffb81c',
  milleage: '#8fdcf5',
  'gate-t': '#a9b9ff',
  'gate-field': '#18286f',
  'peak-t': '#6fddbb',
  'peak-field': '#083e30',
  'phoenix-t': '#ff9c82',
  'phoenix-field': '#5a170b',
  signal: '#ffd21f',
  'signal-down': '#e0b000',
  second: '#2239a8',
  'on-second': '#ffffff',
} as const

export type Token = keyof typeof ORIGINAL_TOKENS
export type Tokens = Record<Token, string>

type Rgb = readonly [number, number, number]

const parse = (hex: string): Rgb => {
  const readChannel = (start: number) => Number.parseInt(hex.slice(start, start + 2), 16)
  return [readChannel(1), readChannel(3), readChannel(5)]
}

/** Mixes a color with a share of another. */
function mix(color: string, other: string, share: number): string {
  const [from, to] = [parse(color), parse(other)]
  const channels = from.map((channel, index) => Math.round(channel + ((to[index] ?? channel) - channel) * share))
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

/** Returns the relative luminance of WCAG 2.2. */
function luminance(hex: string): number {
  const [red, green, blue] = parse(hex)
  const toLinear = (channel: number) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue)
}

/** Returns the contrast ratio of WCAG 2.2, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

const lowest = (color: string, grounds: readonly string[]) => Math.min(...grounds.map((on) => contrast(color, on)))

/** Mixes a color with the smallest share of `towards` that reaches the minimum contrast with every ground. */
function fit(color: string, towards: string, grounds: readonly string[], least: number): string {
  for (let share = 0; share < 1; share += 0.02) {
    const mixed = mix(color, towards, share)
    if (lowest(mixed, grounds) >= least) return mixed
  }
  return towards
}

const WHITE = '#ffffff'
const BLACK = '#000000'

/**
 * Returns the colors of the ground, the panels and the slots. On a dark ground, panels and slots are lighter than the
 * ground; on a light ground, panels are lighter and slots darker.
 */
const listGrounds = ({ ink, 'ink-2': panel, 'ink-3': slot }: Tokens) => [ink, panel, slot]
/** Returns the paper surfaces: the player's panels and their fields. */
const listPapers = (tokens: Tokens) => [tokens.paper, tokens['paper-field'], tokens['paper-2'], tokens['paper-3']]

/** Whether white text has at least the contrast of black text on a ground. */
export const isDark = (ground: string) => contrast(ground, WHITE) >= contrast(ground, BLACK)

/**
 * Derives all tokens from the ground. Paper is light on a dark ground and dark on a light one, and its text has the color
 * of the ground.
 */
function deriveGroundTokens(ground: string): Tokens {
  const dark = isDark(ground)
  const text = mix(dark ? WHITE : BLACK, ground, dark ? 0.05 : 0.1)
  const tokens: Tokens = {
    ...ORIGINAL_TOKENS,
    ink: ground,
    'ink-2': dark ? mix(ground, WHITE, 0.04) : mix(ground, WHITE, 0.5),
    'ink-3': dark ? mix(ground, WHITE, 0.09) : mix(ground, text, 0.08),
    'field-focus': mix(ground, text, 0.06),
    line: mix(ground, text, dark ? 0.17 : 0.22),
    paper: text,
    'paper-2': mix(text, ground, 0.13),
    'paper-3': mix(text, ground, 0.07),
    'paper-field': dark ? WHITE : mix(text, BLACK, 0.5),
    'paper-line': mix(text, ground, 0.22),
    'paper-rule': mix(text, ground, 0.36),
    'paper-faint': mix(text, ground, 0.28),
  }
  const grounds = listGrounds(tokens)
  const papers = listPapers(tokens)
  const onGround = (color: string, least: number) => fit(color, text, grounds, least)
  const onPaper = (color: string, least: number) => fit(color, ground, papers, least)
  const createField = (school: 'gate' | 'peak' | 'phoenix', bright: string) =>
    dark
      ? fit(ORIGINAL_TOKENS[`${school}-field`], ground, [text], 7)
      : fit(mix(ground, bright, 0.25), ground, [text], 7)
  return {
    ...tokens,
    'line-2': onGround(mix(ground, text, 0.4), 3.2),
    'text-2': onGround(mix(text, ground, 0.2), 7),
    'text-3': onGround(mix(text, ground, 0.36), 5.2),
    'paper-mute': onPaper(mix(text, ground, 0.6), 5),
    'paper-strong': onPaper(mix(text, ground, 0.68), 5.5),
    'paper-edge': onPaper(mix(text, ground, 0.5), 3.6),
    red: onGround(ORIGINAL_TOKENS.red, 4.6),
    'red-paper': onPaper(ORIGINAL_TOKENS['red-paper'], 4.6),
    green: onGround(ORIGINAL_TOKENS.green, 4.6),
    rcoin: onGround(ORIGINAL_TOKENS.rcoin, 4.6),
    milleage: onGround(ORIGINAL_TOKENS.milleage, 4.6),
    'gate-t': onGround(dark ? ORIGINAL_TOKENS['gate-t'] : '#2b50e8', 4.6),
    'gate-field': createField('gate', '#2b50e8'),
    'peak-t': onGround(dark ? ORIGINAL_TOKENS['peak-t'] : '#0a7f60', 4.6),
    'peak-field': createField('peak', '#0a7f60'),
    'phoenix-t': onGround(dark ? ORIGINAL_TOKENS['phoenix-t'] : '#c92c0e', 4.6),
    'phoenix-field': createField('phoenix', '#c92c0e'),
  }
}

/** Returns every color of a theme. A color that depends only on unchanged choices keeps its default. */
export function deriveTokens({ ground, accent, second }: ThemeColors): Tokens {
  const tokens: Tokens = ground === ORIGINAL_COLORS.ground ? { ...ORIGINAL_TOKENS } : deriveGroundTokens(ground)
  if (accent !== ORIGINAL_COLORS.accent) {
    const pressed = mix(accent, BLACK, 0.14)
    tokens.signal = accent
    tokens['signal-down'] = contrast(pressed, ground) >= 4.5 ? pressed : accent
  }
  if (accent !== ORIGINAL_COLORS.accent || ground !== ORIGINAL_COLORS.ground)
    tokens['paper-focus'] = fit(mix(tokens['paper-field'], accent, 0.2), tokens['paper-field'], [tokens.ink], 7)
  if (second !== ORIGINAL_COLORS.second) {
    tokens.second = second
    tokens['on-second'] = isDark(second) ? WHITE : BLACK
  }
  return tokens
}

/** Two colors that touch each other on the site, their contrast, and the minimum. */
export type ColorPair = {
  what: string
  on: string
  /** The front color and the back color. */
  front: string
  back: string
  ratio: number
  least: number
  /** The chosen color that determines the pair. */
  of: keyof ThemeColors
}

const GROUNDS: readonly (readonly [Token, string])[] = [
  ['ink', 'the ground'],
  ['ink-2', 'panels'],
  ['ink-3', 'slots'],
]
const PAPERS: readonly (readonly [Token, string])[] = [
  ['paper', 'paper'],
  ['paper-field', 'fields on paper'],
]

/**
 * The pairs of colors that touch each other, with the minimum contrast: 7 or 4.5 for text (WCAG 2.2 AA requires 4.5), 3
 * for edges and large text.
 */
const COLOR_PAIRS: readonly (readonly [
  Token,
  string,
  number,
  readonly (readonly [Token, string])[],
  keyof ThemeColors,
])[] = [
  ['paper', 'Text', 7, GROUNDS, 'ground'],
  ['text-2', 'Notes', 4.5, GROUNDS, 'ground'],
  ['text-3', 'Captions', 4.5, GROUNDS, 'ground'],
  ['line-2', 'Edges of fields', 3, GROUNDS, 'ground'],
  ['red', 'Errors', 4.5, GROUNDS, 'ground'],
  ['green', 'Done', 4.5, GROUNDS, 'ground'],
  ['gate-t', 'Sacred Gate', 4.5, GROUNDS, 'ground'],
  ['peak-t', 'Mystic Peak', 4.5, GROUNDS, 'ground'],
  ['phoenix-t', 'Phoenix', 4.5, GROUNDS, 'ground'],
  ['ink', 'Text', 7, PAPERS, 'ground'],
  ['paper-mute', 'Notes', 4.5, PAPERS, 'ground'],
  ['red-paper', 'Errors', 4.5, PAPERS, 'ground'],
  ['signal', 'Accent', 4.5, GROUNDS, 'accent'],
  ['ink', 'Text', 4.5, [['signal', 'buttons']], 'accent'],
  ['ink', 'Text', 4.5, [['signal-down', 'pressed buttons']], 'accent'],
  ['on-second', 'Text', 4.5, [['second', 'the second accent']], 'second'],
  ['paper', 'Headings', 3, [['second', 'the second accent']], 'second'],
]

/** Returns every pair of colors that touch each other on the site, with its contrast. */
export function listPairs(colors: ThemeColors): ColorPair[] {
  const tokens = deriveTokens(colors)
  return COLOR_PAIRS.flatMap(([token, what, least, grounds, of]) =>
    grounds.map(([behind, on]) => {
      const [front, back] = [tokens[token], tokens[behind]]
      return { what, on, front, back, ratio: contrast(front, back), least, of }
    }),
  )
}

/** Formats a contrast ratio, rounded down, so a ratio below the minimum never looks sufficient. */
export const formatRatio = (ratio: number) => `${(Math.floor(ratio * 10) / 10).toFixed(1)} : 1`

/** Returns an error for each chosen color with too little contrast; an empty object for a valid choice. */
export function checkColors(colors: ThemeColors): Partial<Record<keyof ThemeColors, string>> {
  const lighter = isDark(colors.ground)
  const worst = (of: keyof ThemeColors) =>
    listPairs(colors)
      .filter((pair) => pair.of === of && pair.ratio < pair.least)
      .sort((a, b) => a.ratio / a.least - b.ratio / b.least)[0]
  const describe = (pair: ColorPair) =>
    `${pair.what} on ${pair.on} would have a contrast of ${formatRatio(pair.ratio)}, and ${pair.least} : 1 is needed.`
  const [ground, accent, second] = [worst('ground'), worst('accent'), worst('second')]
  return {
    ...(ground && {
      ground: `${describe(ground)} Choose a ${lighter ? 'darker' : 'lighter'} ground: neither white nor black text is readable on a medium ground.`,
    }),
    ...(accent && { accent: `${describe(accent)} Choose ${lighter ? 'a lighter' : 'a darker'} accent.` }),
    ...(second && { second: `${describe(second)} Choose ${lighter ? 'a darker' : 'a lighter'} second accent.` }),
  }
}

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

export type ThemeToken = keyof typeof ORIGINAL_TOKENS
export type ThemeTokens = Record<ThemeToken, string>

type Rgb = readonly [number, number, number]

const parseColor = (hex: string): Rgb => {
  const readChannel = (start: number) => Number.parseInt(hex.slice(start, start + 2), 16)
  return [readChannel(1), readChannel(3), readChannel(5)]
}

/** Mixes a color with a share of another. */
function mixColors(color: string, otherColor: string, share: number): string {
  const [from, to] = [parseColor(color), parseColor(otherColor)]
  const channels = from.map((channel, index) => Math.round(channel + ((to[index] ?? channel) - channel) * share))
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

/** Returns the relative luminance of WCAG 2.2. */
function calculateLuminance(hex: string): number {
  const [red, green, blue] = parseColor(hex)
  const toLinear = (channel: number) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue)
}

/** Returns the contrast ratio of WCAG 2.2, from 1 to 21. */
export function calculateContrast(color: string, otherColor: string): number {
  const [low, high] = [calculateLuminance(color), calculateLuminance(otherColor)].sort((a, b) => a - b) as [
    number,
    number,
  ]
  return (high + 0.05) / (low + 0.05)
}

const findLowestContrast = (color: string, grounds: readonly string[]) =>
  Math.min(...grounds.map((ground) => calculateContrast(color, ground)))

/**
 * Mixes a color with the smallest share of `targetColor`, in steps of 2%, that reaches the minimum contrast with every
 * ground; returns `targetColor` if none does.
 */
function mixToContrast(color: string, targetColor: string, grounds: readonly string[], minContrast: number): string {
  for (let share = 0; share < 1; share += 0.02) {
    const mixedColor = mixColors(color, targetColor, share)
    if (findLowestContrast(mixedColor, grounds) >= minContrast) return mixedColor
  }
  return targetColor
}

const WHITE = '#ffffff'
const BLACK = '#000000'

/**
 * Returns the colors of the ground, the panels and the slots. On a dark ground, panels and slots are lighter than the
 * ground; on a light ground, panels are lighter and slots darker.
 */
const listGrounds = ({ ink, 'ink-2': panel, 'ink-3': slot }: ThemeTokens) => [ink, panel, slot]
/** Returns the paper surfaces: the player's panels and their fields. */
const listPapers = (tokens: ThemeTokens) => [tokens.paper, tokens['paper-field'], tokens['paper-2'], tokens['paper-3']]

/** Whether white text has at least the contrast of black text on a ground. */
export const isDark = (ground: string) => calculateContrast(ground, WHITE) >= calculateContrast(ground, BLACK)

/**
 * Derives all tokens from the ground. Paper is light on a dark ground and dark on a light one, and its text has the color
 * of the ground.
 */
function deriveGroundTokens(ground: string): ThemeTokens {
  const isDarkGround = isDark(ground)
  const text = mixColors(isDarkGround ? WHITE : BLACK, ground, isDarkGround ? 0.05 : 0.1)
  const tokens: ThemeTokens = {
    ...ORIGINAL_TOKENS,
    ink: ground,
    'ink-2': isDarkGround ? mixColors(ground, WHITE, 0.04) : mixColors(ground, WHITE, 0.5),
    'ink-3': isDarkGround ? mixColors(ground, WHITE, 0.09) : mixColors(ground, text, 0.08),
    'field-focus': mixColors(ground, text, 0.06),
    line: mixColors(ground, text, isDarkGround ? 0.17 : 0.22),
    paper: text,
    'paper-2': mixColors(text, ground, 0.13),
    'paper-3': mixColors(text, ground, 0.07),
    'paper-field': isDarkGround ? WHITE : mixColors(text, BLACK, 0.5),
    'paper-line': mixColors(text, ground, 0.22),
    'paper-rule': mixColors(text, ground, 0.36),
    'paper-faint': mixColors(text, ground, 0.28),
  }
  const grounds = listGrounds(tokens)
  const papers = listPapers(tokens)
  const fitToGrounds = (color: string, minContrast: number) => mixToContrast(color, text, grounds, minContrast)
  const fitToPapers = (color: string, minContrast: number) => mixToContrast(color, ground, papers, minContrast)
  const createFieldColor = (school: 'gate' | 'peak' | 'phoenix', brightColor: string) =>
    isDarkGround
      ? mixToContrast(ORIGINAL_TOKENS[`${school}-field`], ground, [text], 7)
      : mixToContrast(mixColors(ground, brightColor, 0.25), ground, [text], 7)
  return {
    ...tokens,
    'line-2': fitToGrounds(mixColors(ground, text, 0.4), 3.2),
    'text-2': fitToGrounds(mixColors(text, ground, 0.2), 7),
    'text-3': fitToGrounds(mixColors(text, ground, 0.36), 5.2),
    'paper-mute': fitToPapers(mixColors(text, ground, 0.6), 5),
    'paper-strong': fitToPapers(mixColors(text, ground, 0.68), 5.5),
    'paper-edge': fitToPapers(mixColors(text, ground, 0.5), 3.6),
    red: fitToGrounds(ORIGINAL_TOKENS.red, 4.6),
    'red-paper': fitToPapers(ORIGINAL_TOKENS['red-paper'], 4.6),
    green: fitToGrounds(ORIGINAL_TOKENS.green, 4.6),
    rcoin: fitToGrounds(ORIGINAL_TOKENS.rcoin, 4.6),
    milleage: fitToGrounds(ORIGINAL_TOKENS.milleage, 4.6),
    'gate-t': fitToGrounds(isDarkGround ? ORIGINAL_TOKENS['gate-t'] : '#2b50e8', 4.6),
    'gate-field': createFieldColor('gate', '#2b50e8'),
    'peak-t': fitToGrounds(isDarkGround ? ORIGINAL_TOKENS['peak-t'] : '#0a7f60', 4.6),
    'peak-field': createFieldColor('peak', '#0a7f60'),
    'phoenix-t': fitToGrounds(isDarkGround ? ORIGINAL_TOKENS['phoenix-t'] : '#c92c0e', 4.6),
    'phoenix-field': createFieldColor('phoenix', '#c92c0e'),
  }
}

/** Returns every color of a theme. A color that depends only on unchanged choices keeps its default. */
export function deriveTokens({ ground, accent, second }: ThemeColors): ThemeTokens {
  const tokens: ThemeTokens = ground === ORIGINAL_COLORS.ground ? { ...ORIGINAL_TOKENS } : deriveGroundTokens(ground)
  if (accent !== ORIGINAL_COLORS.accent) {
    const pressedColor = mixColors(accent, BLACK, 0.14)
    tokens.signal = accent
    tokens['signal-down'] = calculateContrast(pressedColor, ground) >= 4.5 ? pressedColor : accent
  }
  if (accent !== ORIGINAL_COLORS.accent || ground !== ORIGINAL_COLORS.ground)
    tokens['paper-focus'] = mixToContrast(
      mixColors(tokens['paper-field'], accent, 0.2),
      tokens['paper-field'],
      [tokens.ink],
      7,
    )
  if (second !== ORIGINAL_COLORS.second) {
    tokens.second = second
    tokens['on-second'] = isDark(second) ? WHITE : BLACK
  }
  return tokens
}

/** Two colors that touch each other on the site, their contrast, and the minimum. */
export type ColorPair = {
  frontName: string
  backName: string
  /** The front color and the back color. */
  front: string
  back: string
  ratio: number
  minContrast: number
  /** The chosen color that determines the pair. */
  choice: keyof ThemeColors
}

const GROUND_TOKENS: readonly (readonly [ThemeToken, string])[] = [
  ['ink', 'the ground'],
  ['ink-2', 'panels'],
  ['ink-3', 'slots'],
]
const PAPER_TOKENS: readonly (readonly [ThemeToken, string])[] = [
  ['paper', 'paper'],
  ['paper-field', 'fields on paper'],
]

/**
 * The pairs of colors that touch each other, with the minimum contrast: 7 or 4.5 for text (WCAG 2.2 AA requires 4.5),
 * 3 for edges and large text (LOOK-9).
 */
const COLOR_PAIRS: readonly (readonly [
  ThemeToken,
  string,
  number,
  readonly (readonly [ThemeToken, string])[],
  keyof ThemeColors,
])[] = [
  ['paper', 'Text', 7, GROUND_TOKENS, 'ground'],
  ['text-2', 'Notes', 4.5, GROUND_TOKENS, 'ground'],
  ['text-3', 'Captions', 4.5, GROUND_TOKENS, 'ground'],
  ['line-2', 'Edges of fields', 3, GROUND_TOKENS, 'ground'],
  ['red', 'Errors', 4.5, GROUND_TOKENS, 'ground'],
  ['green', 'Success messages', 4.5, GROUND_TOKENS, 'ground'],
  ['gate-t', 'Sacred Gate', 4.5, GROUND_TOKENS, 'ground'],
  ['peak-t', 'Mystic Peak', 4.5, GROUND_TOKENS, 'ground'],
  ['phoenix-t', 'Phoenix', 4.5, GROUND_TOKENS, 'ground'],
  ['ink', 'Text', 7, PAPER_TOKENS, 'ground'],
  ['paper-mute', 'Notes', 4.5, PAPER_TOKENS, 'ground'],
  ['red-paper', 'Errors', 4.5, PAPER_TOKENS, 'ground'],
  ['signal', 'Accent', 4.5, GROUND_TOKENS, 'accent'],
  ['ink', 'Text', 4.5, [['signal', 'buttons']], 'accent'],
  ['ink', 'Text', 4.5, [['signal-down', 'pressed buttons']], 'accent'],
  ['on-second', 'Text', 4.5, [['second', 'the second accent']], 'second'],
  ['paper', 'Headings', 3, [['second', 'the second accent']], 'second'],
]

/** Returns every pair of colors that touch each other on the site, with its contrast. */
export function listPairs(colors: ThemeColors): ColorPair[] {
  const tokens = deriveTokens(colors)
  return COLOR_PAIRS.flatMap(([token, frontName, minContrast, grounds, choice]) =>
    grounds.map(([backToken, backName]) => {
      const [front, back] = [tokens[token], tokens[backToken]]
      return { frontName, backName, front, back, ratio: calculateContrast(front, back), minContrast, choice }
    }),
  )
}

/** Formats a contrast ratio, rounded down, so a ratio below the minimum never looks sufficient. */
export const formatRatio = (ratio: number) => `${(Math.floor(ratio * 10) / 10).toFixed(1)} : 1`

/** Returns an error for each chosen color with too little contrast; an empty object for a valid choice. */
export function checkColors(colors: ThemeColors): Partial<Record<keyof ThemeColors, string>> {
  const isDarkGround = isDark(colors.ground)
  const findWorstPair = (choice: keyof ThemeColors) =>
    listPairs(colors)
      .filter((pair) => pair.choice === choice && pair.ratio < pair.minContrast)
      .sort((a, b) => a.ratio / a.minContrast - b.ratio / b.minContrast)[0]
  const describePair = (pair: ColorPair) =>
    `${pair.frontName} on ${pair.backName} would have a contrast of ${formatRatio(pair.ratio)}, and ${pair.minContrast} : 1 is needed.`
  const [ground, accent, second] = [findWorstPair('ground'), findWorstPair('accent'), findWorstPair('second')]
  return {
    ...(ground && {
      ground: `${describePair(ground)} Choose a ${isDarkGround ? 'darker' : 'lighter'} ground: neither white nor black text is readable on a medium ground.`,
    }),
    ...(accent && { accent: `${describePair(accent)} Choose ${isDarkGround ? 'a lighter' : 'a darker'} accent.` }),
    ...(second && {
      second: `${describePair(second)} Choose ${isDarkGround ? 'a darker' : 'a lighter'} second accent.`,
    }),
  }
}

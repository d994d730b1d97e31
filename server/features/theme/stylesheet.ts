import { isOriginal, type Theme } from '#contract/theme.ts'
import { deriveTokens, isDark, ORIGINAL_COLORS, ORIGINAL_TOKENS, type Token } from '#contract/theme-colors.ts'

const HALFTONE = 'url(/art/stage-inner.svg) right top/auto 100% no-repeat'
const FADE = 'linear-gradient(#0000,#000 150px)'

const rule = (selector: string, values: readonly (readonly [name: string, value: string])[]) =>
  values.length === 0 ? '' : `${selector}{${values.map(([name, value]) => `--${name}:${value}`).join(';')}}`

const picture = (address: string) => `url(${address}) center bottom/cover no-repeat`

/**
 * A look as a stylesheet, which names only the tokens that differ from ours (web/ui/base.css). It is made of checked hexadecimal
 * digits and of addresses of our own files, and of nothing else that an operator wrote.
 *
 * @returns null where nothing differs
 */
export function writeStylesheet({ title, colors, pictures }: Theme): string | null {
  const tokens = deriveTokens(colors)
  const changed = Object.entries(tokens).filter(([name, color]) => color !== ORIGINAL_TOKENS[name as Token])
  const { hero: [hero] = [], hero_phone: [phone] = [] } = pictures
  const isColored = !isOriginal({ title, colors, pictures: {} })
  const board: [string, string][] =
    colors.second === ORIGINAL_COLORS.second
      ? []
      : [
          ['board', tokens.second],
          ['on-board', tokens['on-second']],
        ]
  // Our drawing of the halftone, in the second accent; our school at night would not fit other colors.
  const halftone: [string, string][] = [
    ['stage-home', 'var(--second)'],
    ['stage-home-mask', `${HALFTONE},${FADE}`],
  ]
  const home: [string, string][] = hero ? [['stage-home', picture(hero)]] : isColored ? halftone : []
  const onPhone: [string, string][] = phone
    ? [
        ['stage-home', picture(phone)],
        ['stage-home-mask', FADE],
      ]
    : []
  const sheet = [
    rule(':root', [...changed, ...board, ...home]),
    ...(isDark(colors.ground)
      ? []
      : [':root{color-scheme:light;--tint-share:40%}[data-surface=paper]{color-scheme:dark}']),
    ...(onPhone.length === 0 ? [] : [`@media (max-width:639px){${rule(':root', onPhone)}}`]),
  ].join('')
  return sheet === '' ? null : sheet
}

import { isOriginalTheme, type Theme } from '#contract/theme.ts'
import { deriveTokens, isDark, ORIGINAL_COLORS, ORIGINAL_TOKENS, type ThemeToken } from '#contract/theme-colors.ts'

const HALFTONE = 'url(/art/stage-inner.svg) right top/auto 100% no-repeat'
const FADE = 'linear-gradient(#0000,#000 150px)'

const formatRule = (selector: string, values: readonly (readonly [name: string, value: string])[]) =>
  values.length === 0 ? '' : `${selector}{${values.map(([name, value]) => `--${name}:${value}`).join(';')}}`

const formatPicture = (address: string) => `url(${address}) center bottom/cover no-repeat`

/**
 * Writes a theme as a stylesheet with the tokens that differ from those of the original theme in web/ui/base.css
 * (LOOK-14). Of the operators' input, it contains only checked hexadecimal digits and addresses of the site's own files.
 *
 * @returns null if no token differs
 */
export function writeStylesheet({ title, colors, pictures }: Theme): string | null {
  const tokens = deriveTokens(colors)
  const changedTokens = Object.entries(tokens).filter(([name, color]) => color !== ORIGINAL_TOKENS[name as ThemeToken])
  const { hero: [heroUrl] = [], hero_phone: [phoneUrl] = [] } = pictures
  const isColored = !isOriginalTheme({ title, colors, pictures: {} })
  const boardTokens: [string, string][] =
    colors.second === ORIGINAL_COLORS.second
      ? []
      : [
          ['board', tokens.second],
          ['on-board', tokens['on-second']],
        ]
  // A theme with other colors shows a halftone in the second accent, because the original picture would not match.
  const halftoneTokens: [string, string][] = [
    ['stage-home', 'var(--second)'],
    ['stage-home-mask', `${HALFTONE},${FADE}`],
  ]
  const homeTokens: [string, string][] = heroUrl
    ? [['stage-home', formatPicture(heroUrl)]]
    : isColored
      ? halftoneTokens
      : []
  const phoneTokens: [string, string][] = phoneUrl
    ? [
        ['stage-home', formatPicture(phoneUrl)],
        ['stage-home-mask', FADE],
      ]
    : []
  const stylesheet = [
    formatRule(':root', [...changedTokens, ...boardTokens, ...homeTokens]),
    ...(isDark(colors.ground)
      ? []
      : [':root{color-scheme:light;--tint-share:40%}[data-surface=paper]{color-scheme:dark}']),
    ...(phoneTokens.length === 0 ? [] : [`@media (max-width:639px){${formatRule(':root', phoneTokens)}}`]),
  ].join('')
  return stylesheet === '' ? null : stylesheet
}

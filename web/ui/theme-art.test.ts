import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { listThemeArt, THEME_SLOTS } from '#contract/theme.ts'

/** Drawings without an entry in the theme editor, because the setting named here replaces them. */
const REPLACED_ELSEWHERE: [drawing: RegExp, setting: string][] = [
  [/^\/art\/stage-home\.svg$/, 'the picture Home page'],
  [/^\/art\/flag-/, 'the crests'],
  [/^\/art\/capsule-machine-/, 'the picture of capsules'],
  [/^\/art\/class-.*-skills\.svg$/, 'the class poster; the icons are shown only next to the drawn one'],
  [/^\/art\/stage-inner\.svg$/, 'the second color, which the halftone uses'],
]

const SLOTS: { label: string; replaces?: string }[] = Object.values(THEME_SLOTS)

test('has an entry in the theme editor for every drawing on the pages', () => {
  const replacedDrawings = SLOTS.flatMap(({ replaces }) => replaces ?? [])
  const missingEntries = globSync('web/{features,shell,ui}/**/*.tsx').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/['"`](\/art\/[^'"`]+?\.svg)['"`]/g)].flatMap(([, drawing = '']) => {
      const pattern = new RegExp(`^${drawing.replaceAll('.', '\\.').replaceAll(/\$\{[^}]*\}+/g, '.+')}$`)
      const isReplaceable =
        replacedDrawings.some((address) => pattern.test(address)) ||
        REPLACED_ELSEWHERE.some(([exempt]) => exempt.test(drawing))
      return isReplaceable ? [] : [`${file}: ${drawing}`]
    }),
  )
  assert.deepEqual(missingEntries, [])
})

test('maps the addresses of drawings to the pictures that replace them', () => {
  assert.deepEqual(listThemeArt({ tile_redeem: ['/files/a.webp'], logo: ['/files/b.webp'] }), {
    '/art/redeem.svg': '/files/a.webp',
  })
})

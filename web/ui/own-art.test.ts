import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { listOwnArt, THEME_SLOTS } from '#contract/theme.ts'

/** Drawings that the editor of the theme does not list, because another of its pictures replaces them. */
const REPLACED_OTHERWISE: [drawing: RegExp, by: string][] = [
  [/^\/art\/stage-home\.svg$/, 'the picture Home page'],
  [/^\/art\/flag-/, 'the crests'],
  [/^\/art\/capsule-machine-/, 'the picture of capsules'],
  [/^\/art\/class-.*-skills\.svg$/, 'the poster of the class, without which no icons are shown'],
  [/^\/art\/stage-inner\.svg$/, 'the second color, which the halftone has'],
]

const SLOTS: { label: string; replaces?: string }[] = Object.values(THEME_SLOTS)

test('lists every drawing that players see in the editor of the theme', () => {
  const replaced = SLOTS.flatMap(({ replaces }) => replaces ?? [])
  const missing = globSync('web/{features,shell,ui}/**/*.tsx').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/['"`](\/art\/[^'"`]+?\.svg)['"`]/g)].flatMap(([, drawing = '']) => {
      const pattern = new RegExp(`^${drawing.replaceAll('.', '\\.').replaceAll(/\$\{[^}]*\}+/g, '.+')}$`)
      const isKnown =
        replaced.some((address) => pattern.test(address)) || REPLACED_OTHERWISE.some(([known]) => known.test(drawing))
      return isKnown ? [] : [`${file}: ${drawing}`]
    }),
  )
  assert.deepEqual(missing, [])
})

test('lists the pictures of a theme by the drawings that they replace', () => {
  assert.deepEqual(listOwnArt({ tile_redeem: ['/files/a.webp'], logo: ['/files/b.webp'] }), {
    '/art/redeem.svg': '/files/a.webp',
  })
})

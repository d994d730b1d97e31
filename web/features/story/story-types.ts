import type { School } from '#web/art/shapes.ts'

/** A baked picture `/art/story-<scene>.svg`. */
export type StoryScene = 'bell' | 'hill' | 'gate' | 'peak' | 'phoenix' | 'brownout' | 'board' | 'shed'

export type Chapter = {
  /** The anchor. */
  id: string
  title: string
  /** Whose chapter it is, where it is a school's. */
  school?: School
  scene: StoryScene
  paragraphs: readonly string[]
  quote?: { words: string; who: string }
}

export type Place = {
  /** The anchor's end: `#place-<id>`. */
  id: string
  name: string
  /** The name in lines, where one is too long for the map. */
  label?: readonly string[]
  /** The one sentence about it. */
  line: string
  /** The middle of its name on the map. */
  x: number
  y: number
  /** Where the place itself is drawn. */
  at: readonly [x: number, y: number]
  school?: School
}

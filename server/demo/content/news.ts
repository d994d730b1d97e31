import { newsEvents } from './news-events.ts'
import { newsGuides } from './news-guides.ts'
import type { DemoNews } from './news-types.ts'
import { newsUpdates } from './news-updates.ts'

/** Every demo news item, newest first. */
export const news: DemoNews[] = [...newsUpdates, ...newsEvents, ...newsGuides].sort(
  (a, b) => a.ageMinutes - b.ageMinutes,
)

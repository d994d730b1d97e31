/**
 * Creates and fills the database for `npm run dev`, with the demo world if it is on. It runs in a separate process while
 * Vite loads the modules; when it ends, it unlocks the data directory for the site.
 */
import { readConfig } from '#server/config.ts'
import { prepareFoundation } from '#server/start.ts'

try {
  const foundation = await prepareFoundation(readConfig(process.env), console.log)
  await foundation.close()
  process.exit(0)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

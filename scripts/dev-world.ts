/**
 * Prepares the foundation for `npm run dev` in a separate process while Vite loads the modules: locks the data directory
 * and fills the database, also with the demo world if it is on.
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

import { ConfigError } from './server/config.ts'
import { closeServer, startSite } from './server/start.ts'

const stopStarting = (line: string): never => {
  console.error(line)
  process.exit(1)
}

const site = await startSite(process.env, (line) => console.log(line)).catch((error: unknown) => {
  if (error instanceof ConfigError || (error instanceof Error && error.name === 'StartError'))
    return stopStarting(error.message)
  throw error
})

// Whoever reads the greeting may stop the site at once.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void closeServer(site))
console.log(site.greeting)

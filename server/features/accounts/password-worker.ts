import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import type { PasswordAnswer, PasswordJob } from './password-workers.ts'

/** argon2id with 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Behind everything else the site does. Only Linux gives threads a priority of their own; elsewhere it would be the whole process. */
const LESS_URGENT = 5
if (process.platform === 'linux') setPriority(LESS_URGENT)

parentPort?.on('message', (job: PasswordJob) => {
  try {
    const value = job.against === undefined ? hashSync(job.password, COST) : verifySync(job.against, job.password)
    parentPort?.postMessage({ id: job.id, value } satisfies PasswordAnswer)
  } catch (error) {
    parentPort?.postMessage({ id: job.id, error: (error as Error).message } satisfies PasswordAnswer)
  }
})

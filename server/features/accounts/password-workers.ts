import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

/** A password to be hashed, or to be compared with a hash. */
export type PasswordJob = { id: number; password: string; against?: string }
export type PasswordAnswer = { id: number; value: string | boolean } | { id: number; error: string }

type Waiting = { resolve: (value: string | boolean) => void; reject: (error: Error) => void }
type Crew = { worker: Worker; waiting: Map<number, Waiting> }

/** Password computations that run at the same moment, one a thread. */
export const WORKERS = availableParallelism()

/**
 * Threads of their own for passwords, started when first needed: a flood of logins fills
 * neither the main thread nor the one pool that files and names share, and the threads give
 * way to everything else the site does. They do not keep the process alive.
 */
const crews: Crew[] = []
let lastId = 0

/** Computes in the least busy thread. */
export function computeInWorker(job: Omit<PasswordJob, 'id'>): Promise<string | boolean> {
  const crew = chooseCrew()
  const id = ++lastId
  return new Promise((resolve, reject) => {
    crew.waiting.set(id, { resolve, reject })
    crew.worker.ref()
    crew.worker.postMessage({ ...job, id } satisfies PasswordJob)
  })
}

function chooseCrew(): Crew {
  const [idlest] = crews.toSorted((a, b) => a.waiting.size - b.waiting.size)
  if (idlest !== undefined && (idlest.waiting.size === 0 || crews.length >= WORKERS)) return idlest
  return startCrew()
}

function startCrew(): Crew {
  const crew: Crew = { worker: new Worker(new URL('./password-worker.ts', import.meta.url)), waiting: new Map() }
  crews.push(crew)
  crew.worker.unref()
  crew.worker.on('message', (answer: PasswordAnswer) => {
    const waiting = crew.waiting.get(answer.id)
    crew.waiting.delete(answer.id)
    if (crew.waiting.size === 0) crew.worker.unref()
    if ('error' in answer) waiting?.reject(new Error(answer.error))
    else waiting?.resolve(answer.value)
  })
  crew.worker.on('error', (error) => dismiss(crew, error as Error))
  crew.worker.on('exit', () => dismiss(crew, new Error('A password thread ended.')))
  return crew
}

/** A thread that died is not asked again; the next computation starts another. */
function dismiss(crew: Crew, error: Error): void {
  const at = crews.indexOf(crew)
  if (at >= 0) crews.splice(at, 1)
  for (const { reject } of crew.waiting.values()) reject(error)
  crew.waiting.clear()
}

import { execFile, execFileSync } from 'node:child_process'
import { Agent, get } from 'node:http'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The encodings that browsers accept. */
export const BROWSER_HEADERS = { 'Accept-Encoding': 'gzip, deflate, br, zstd' }

const CONNECTIONS = 32

const hasWrk = (() => {
  try {
    execFileSync('which', ['wrk'])
    return true
  } catch {
    return false
  }
})()

/**
 * Sends requests to an address over 32 connections for `seconds`, with wrk (Debian's package `wrk`) where it is
 * installed, else with Node's own client, which is slower and takes processor time from the server.
 *
 * @returns responses a second
 * @throws when a response was not a success
 */
export function loadWith(url: string, seconds: number): Promise<number> {
  return hasWrk ? loadWithWrk(url, seconds) : loadWithNode(url, seconds)
}

async function loadWithWrk(url: string, seconds: number): Promise<number> {
  const headers = Object.entries(BROWSER_HEADERS).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const { stdout } = await run('wrk', ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, ...headers, url])
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`${url} was not always answered:\n${stdout}`)
  return Number(/Requests\/sec:\s*([\d.]+)/.exec(stdout)?.[1])
}

async function loadWithNode(url: string, seconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const end = performance.now() + seconds * 1000
  let answered = 0
  const ask = async () => {
    while (performance.now() < end) {
      await requestOnce(url, agent)
      answered++
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, ask))
  agent.destroy()
  return answered / seconds
}

/** Sends one request and reads the response to its end. @returns its status */
export function requestOnce(url: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: BROWSER_HEADERS }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
    }).once('error', reject)
  })
}

import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
// @ts-expect-error it has no types
import S3rver from '@20minutes/s3rver'

/** The key that the store accepts. */
export const STORE_KEY = { access_key: 'S3RVER', secret: 'S3RVER' }

/** Starts an S3 server with one bucket on the loopback address. It stops when the test file ends. */
export async function startStore({ bucket = 'tambayan', port = 0 } = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'tambayan-store-'))
  const s3Server = new S3rver({
    port,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: bucket }],
  })
  const { port: storePort } = (await s3Server.run()) as AddressInfo
  const stop = () => s3Server.close().catch(() => {})
  after(async () => {
    await stop()
    await rm(directory, { recursive: true, force: true })
  })
  /** Lists the keys of the objects in the bucket. */
  const list = async (): Promise<string[]> =>
    (await s3Server.store.listObjects(bucket, { maxKeys: 1000 })).objects.map(({ key }: { key: string }) => key)
  return { address: `http://127.0.0.1:${storePort}`, bucket, port: storePort, stop, list }
}

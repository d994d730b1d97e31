import { access, chmod, constants, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { ROOT } from './root.ts'

/** Optional packages that drivers use if they are installed. */
const OPTIONAL_PACKAGES = ['pg-native', 'msnodesqlv8', 'cloudflare:sockets', '@azure/identity', '@azure/keyvault-keys']

/**
 * Packs the agent into one file that runs on Node 22 or newer, so operators need not install a project on a game
 * server.
 *
 * @param folder its content is deleted
 * @returns the path of the file
 */
export async function packBridge(folder = join(ROOT, 'build/bridge')): Promise<string> {
  const bundleFile = join(folder, 'bridge.mjs')
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    publicDir: false,
    ssr: { noExternal: true, external: OPTIONAL_PACKAGES, target: 'node' },
    build: {
      ssr: join(ROOT, 'bridge/main.ts'),
      target: 'node22',
      outDir: folder,
      emptyOutDir: true,
      minify: false,
      rolldownOptions: {
        output: { entryFileNames: 'bridge.mjs', codeSplitting: false },
      },
    },
  })
  const code = await readFile(bundleFile, 'utf8')
  // CommonJS packages need `require`, which resolves from this file. An older Node.js would fail at missing features.
  const head = `#!/usr/bin/env node
import { createRequire as createRequireOfBridge } from 'node:module'
const require = createRequireOfBridge(import.meta.url)
if (Number(process.versions.node.split('.')[0]) < 22) {
  console.error(\`The bridge needs Node.js 22 or newer, and this is \${process.versions.node}. Get a newer one from nodejs.org.\`)
  process.exit(1)
}
`
  await writeFile(bundleFile, head + code.replace(/^#!.*\n/, ''))
  await chmod(bundleFile, 0o755)
  return bundleFile
}

/** Creates a temporary folder if the project's folder is read-only, for example in the Docker image. @returns its path */
const createFolderIfReadOnly = () =>
  mkdir(join(ROOT, 'build/bridge'), { recursive: true })
    .then(() => access(join(ROOT, 'build/bridge'), constants.W_OK))
    .then(
      () => undefined,
      () => mkdtemp(join(tmpdir(), 'tambayan-bridge-')),
    )

if (import.meta.main) console.log(`Packed: ${await packBridge(process.argv[2] ?? (await createFolderIfReadOnly()))}`)

import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

type Rule = {
  what: string
  from: RegExp
  to: RegExp
  /** `types` lets `import type` through. */
  except?: RegExp | 'types'
}

/** Who may import whom: one direction, no way up. */
const RULES: Rule[] = [
  { what: 'contract imports only Zod and itself', from: /^contract\//, to: /./, except: /^(contract\/|zod$)/ },
  {
    what: 'content imports only the contract and itself',
    from: /^content\//,
    to: /./,
    except: /^(content|contract)\//,
  },
  {
    what: 'web takes types, never values, from server',
    from: /^web\//,
    to: /^(server|test|scripts|bench)\//,
    except: 'types',
  },
  { what: 'server reaches web through pages.ts only', from: /^server\/(?!pages\.ts)/, to: /^web\// },
  { what: 'server does not know tests or benches', from: /^server\//, to: /^(test|bench)\// },
  { what: 'only config and start-up read the build script', from: /^server\/(?!start\.ts)/, to: /^scripts\// },
  {
    what: 'queries know the database, not services or routes',
    from: /^server\/features\/.*\/queries\.ts/,
    to: /\/(service|routes)\.ts$/,
  },
  { what: 'services know no routes', from: /^server\/features\/.*\/service\.ts/, to: /\/routes\.ts$/ },
  { what: 'the database knows no features', from: /^server\/db\//, to: /^server\/(?!db\/)/ },
  { what: 'http knows no features', from: /^server\/http\//, to: /^server\/features\// },
  { what: 'the shell and ui know no pages', from: /^web\/(ui|art)\//, to: /^web\/(features|shell)\// },
]

const IMPORT = /^\s*(?:import|export)\s+(type\s)?[^'"]*?from\s+'([^']+)'|^\s*import\s+'([^']+)'|import\('([^']+)'\)/gm

function resolveImport(file: string, specifier: string): string {
  if (specifier.startsWith('#')) return specifier.slice(1)
  return specifier.startsWith('.') ? join(dirname(file), specifier) : specifier
}

/** A feature imports no other feature's queries or routes. */
function crossesFeatures(file: string, target: string): boolean {
  const [, own] = /^server\/features\/([^/]+)\//.exec(file) ?? []
  const [, other, part] = /^server\/features\/([^/]+)\/(.+)$/.exec(target) ?? []
  if (own === undefined || other === undefined || own === other) return false
  return /^(queries|routes)\.ts$/.test(part ?? '')
}

function* wrongImports(root: string, file: string): Generator<string> {
  for (const [, type, from, bare, dynamic] of readFileSync(join(root, file), 'utf8').matchAll(IMPORT)) {
    const target = resolveImport(file, from ?? bare ?? dynamic ?? '')
    for (const rule of RULES) {
      if (!rule.from.test(file) || !rule.to.test(target)) continue
      const excused = rule.except === 'types' ? type !== undefined : rule.except?.test(target)
      if (!excused) yield `${file} imports ${target}: ${rule.what}.`
    }
    if (crossesFeatures(file, target))
      yield `${file} imports ${target}: a feature imports no other's queries or routes.`
  }
}

/** Every import below a folder that goes the wrong way, one line each. Tests may import what they like. */
export async function checkImports(root = ROOT): Promise<string[]> {
  const wrong: string[] = []
  for await (const file of glob('{contract,content,server,web}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['**/*.test.{ts,tsx}'],
  }))
    wrong.push(...wrongImports(root, file))
  return wrong.sort()
}

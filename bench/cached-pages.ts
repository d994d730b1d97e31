/**
 * Requests/s of pages and calls that the site keeps in memory, against bare node:http. The goal is 0.8 of it.
 *
 * `node bench/cached-pages.ts [--rounds 7]`
 */
import { compareWithBare } from './against-bare.ts'

await compareWithBare([
  '/rankings',
  '/',
  '/api/get-top-rankings-list',
  '/api/getnewsall/0/8/1/0',
  '/api/itemshop',
  '/api/itemshop?category=2&page=2',
  '/itemshop',
  '/itemshop?category=2&page=2',
])

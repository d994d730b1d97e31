import { z } from 'zod'

export const currencyNamesSchema = z
  .object({ rCoin: z.string(), milleage: z.string() })
  .meta({ id: 'CurrencyNames', description: 'What players call the two currencies' })

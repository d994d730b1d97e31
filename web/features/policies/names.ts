type Site = { app_name: string; operator_name: string; operator_email: string | null }

/** What the policies say in braces, from the site's settings; an operator without an e-mail address is reached by ticket. */
export function policyNames({ app_name: app, operator_name: operator, operator_email: email }: Site) {
  return {
    app,
    operator,
    /** At the start of a sentence. */
    Operator: operator.charAt(0).toUpperCase() + operator.slice(1),
    /** Where to write to, as a link in a sentence: 'write to …'. */
    contact: email === null ? '[our support desk](/ticket)' : `[${email}](mailto:${email})`,
  }
}

/** A text, or anything that holds texts, with the names filled in. */
export function fillNames<Text>(text: Text, names: ReturnType<typeof policyNames>): Text {
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string')
      return value.replace(/\{(app|operator|Operator|contact)\}/g, (_, name: keyof typeof names) => names[name])
    if (Array.isArray(value)) return value.map(fill)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, fill(part)]))
  }
  return fill(text) as Text
}

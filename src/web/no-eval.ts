/** Must be set before a schema is created: otherwise zod tests whether it may evaluate code, which our pages' policy forbids. */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

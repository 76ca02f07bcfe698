/** Must be set before a schema is made: otherwise zod tries whether it may run text as code, which our pages' policy refuses. */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

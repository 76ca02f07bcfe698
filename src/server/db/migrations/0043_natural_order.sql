-- The order of names as people see them: "Team 9" before "Team 16", and "a" beside "A".
CREATE COLLATION IF NOT EXISTS natural_order (provider = icu, locale = 'und-u-kn-true');

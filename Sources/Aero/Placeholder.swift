// Aero

"""Pictures of positions, trees and tables."""
